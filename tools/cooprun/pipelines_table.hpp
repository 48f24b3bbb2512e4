// The rows of `cooprun pipelines`: JSON objects with "name", "verdict" (made, skipped, failed, crashed),
// "reasons" or figures, and with
// --against "side", where the two sides of a module follow each other.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/pipeline_figures.hpp"

namespace coopc::cooprun {

/// Adds the figures that the driver reports, by the names of the columns.
void addFigures(const harness::PipelineFigures& figures, nlohmann::ordered_json& row);

/// A line for each row; after the two sides of a module, the second one's figures as multiples of the first
/// one's. At the end, for two sides, how often each figure is smaller, equal or larger, and the median of the
/// multiples.
std::string tableAsText(const std::vector<nlohmann::ordered_json>& rows);

/// One header line, one line for each row; missing figures are empty.
std::string tableAsCsv(const std::vector<nlohmann::ordered_json>& rows);

}  // namespace coopc::cooprun
