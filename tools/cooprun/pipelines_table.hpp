// The rows of `cooprun pipelines`: JSON objects with "name", "verdict" (made, skipped, failed, crashed), and
// "reasons" or figures. With --against they also have "side", and the two sides of a module follow each
// other.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/pipeline_figures.hpp"

namespace coopc::cooprun {

/// Adds the figures that the driver reports, by the names of the columns.
void addFigures(const harness::PipelineFigures& figures, nlohmann::ordered_json& row);

/// A line for each row. After the two sides of a module, a line with the second side's figures divided by the
/// first side's. With two sides, the end says how often each figure is smaller, equal or larger, and gives
/// the median of the ratios.
std::string tableAsText(const std::vector<nlohmann::ordered_json>& rows);

/// A header line, and a line for each row. Missing figures are empty.
std::string tableAsCsv(const std::vector<nlohmann::ordered_json>& rows);

}  // namespace coopc::cooprun
