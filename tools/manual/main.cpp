// Writes manual pages and shell completions of the programs, from the tables of their options.
//
//   coopc_write_manual FOLDER VERSION
//
// writes FOLDER/man/PROGRAM.1, FOLDER/bash/PROGRAM, FOLDER/zsh/_PROGRAM and FOLDER/fish/PROGRAM.fish for each
// program. Exit code 1, with one line, if a file cannot be written.
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/whole_file.hpp"
#include "tools/common/options.hpp"
#include "tools/cooplayout/commands.hpp"

namespace {

using coopc::tool::Complete;
using coopc::tool::Form;
using coopc::tool::Option;

namespace table_coopc {
#define COOPC_OPTIONS "tools/coopc/options.def"
#include "tools/common/option_table.inc"
}  // namespace table_coopc
namespace table_coopval {
#define COOPC_OPTIONS "tools/coopval/options.def"
#include "tools/common/option_table.inc"
}  // namespace table_coopval
namespace table_cooplower {
#define COOPC_OPTIONS "tools/cooplower/options.def"
#include "tools/common/option_table.inc"
}  // namespace table_cooplower
namespace table_cooprun {
#define COOPC_OPTIONS "tools/cooprun/options.def"
#include "tools/common/option_table.inc"
}  // namespace table_cooprun
namespace table_suite {
#define COOPC_OPTIONS "tools/cooprun/suite_options.def"
#include "tools/common/option_table.inc"
}  // namespace table_suite
namespace table_tune {
#define COOPC_OPTIONS "tools/cooprun/tune_options.def"
#include "tools/common/option_table.inc"
}  // namespace table_tune
namespace table_compare {
#define COOPC_OPTIONS "tools/cooprun/compare_options.def"
#include "tools/common/option_table.inc"
}  // namespace table_compare
namespace table_pipelines {
#define COOPC_OPTIONS "tools/cooprun/pipelines_options.def"
#include "tools/common/option_table.inc"
}  // namespace table_pipelines

namespace table_coopls {
#define COOPC_OPTIONS "tools/coopls/options.def"
#include "tools/common/option_table.inc"
}  // namespace table_coopls

struct Command {
  std::string_view name;  // "": the program itself
  std::span<const Option> options;
};
struct Program {
  const char* name;
  const char* summary;
  const char* synopsis;
  const char* description;
  const char* exitStatus;
  const char* files;  // the operands, as shell patterns separated by blanks
  std::vector<Command> commands;
};

std::vector<Program> programs() {
  const coopc::cooplayout::Command* const layouts[] = {
      &coopc::cooplayout::kTensorCommand, &coopc::cooplayout::kWorkItemCommand,
      &coopc::cooplayout::kSmemCommand, &coopc::cooplayout::kDeviceCommand};
  std::vector<Command> layoutCommands = {{"", {}}};
  for (const auto* command : layouts) layoutCommands.push_back({command->name, command->options});
  return {
      {"coopc",
       "compiles GLSL to SPIR-V",
       "[option...] FILE...",
       "A FILE of - is the standard input. @FILE is replaced by the arguments in it. The command line is "
       "that of glslc.",
       "0; 1 for errors in the input; 2 for wrong usage.",
       "comp vert frag geom tesc tese mesh task glsl",
       {{"", table_coopc::kOptions}}},
      {"coopval",
       "checks SPIR-V modules",
       "[option...] FILE|FOLDER...",
       "Checks modules of any compiler against the rules of the matrix, tensor and vector extensions, and by "
       "SPIRV-Tools "
       "against those of core SPIR-V. A FILE of - is the standard input; of a FOLDER all files *.spv are "
       "checked.",
       "0 without findings of severity error; 1 with such findings; 2 for wrong usage or a file that cannot "
       "be read.",
       "spv",
       {{"", table_coopval::kOptions}}},
      {"cooplower",
       "rewrites SPIR-V modules for devices that lack features that the modules use",
       "FILE --profile NAME|FILE [-o FILE] [option...]",
       "A FILE of - is the standard input.",
       "0: the module is lowered, or is native and written as it was; 1: it is declined; 2: wrong usage or a "
       "file that cannot "
       "be read or written.",
       "spv",
       {{"", table_cooplower::kOptions}}},
      {"cooprun",
       "runs shaders on Vulkan devices and compares their results with references",
       "[suite|tune|compare] [option...] CASE...",
       "A CASE is a TOML file that says what a shader is run with.",
       "0: passed; 1: a case failed; 2: wrong usage; 77: everything was skipped, as the device lacks a "
       "feature.",
       "toml",
       {{"", table_cooprun::kOptions},
        {"suite", table_suite::kOptions},
        {"tune", table_tune::kOptions},
        {"compare", table_compare::kOptions},
        {"pipelines", table_pipelines::kOptions}}},
      {"cooplayout", "shows where the elements of matrices are", "COMMAND [argument...] [option...]",
       "Where elements are in tensors, over work-items and in shared memory.",
       "0: done; 1: a rule is broken or a file cannot be read; 2: wrong usage.", "", layoutCommands},
      {"coopls",
       "a language server for GLSL",
       "[option...]",
       "Speaks the Language Server Protocol (3.17) with an editor, which starts it: diagnostics, completion, "
       "definitions, renames and more, from the compiler itself. Settings are in the file coopc.json of a "
       "workspace's folder.",
       "0 after the client's shutdown; 1 without; 2 for wrong usage or a socket that does not open.",
       "",
       {{"", table_coopls::kOptions}}},
  };
}

bool listed(const Option& option) { return option.form == Form::Heading || !option.help.empty(); }

// Escapes text for a manual page, so that no part of it is a request or an escape.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else
      out += c;
  }
  if (!out.empty() && out[0] == '.') out.insert(0, "\\&");
  return out;
}

void addManOptions(std::string& out, std::span<const Option> options) {
  for (const Option& option : options) {
    if (!listed(option)) continue;
    if (option.form == Form::Heading) {
      out += ".SS " + roff(option.help) + "\n";
      continue;
    }
    out += ".TP\n\\fB" + roff(option.name) + (option.form == Form::Equals ? "=" : "") + "\\fR";
    const bool attached = option.form == Form::Joined && option.argument.starts_with("NAME");
    if (!option.argument.empty() && option.form != Form::Equals && !attached) out += ' ';
    if (!option.argument.empty()) out += "\\fI" + roff(option.argument) + "\\fR";
    out += "\n" + roff(option.help);
    if (!option.standard.empty()) out += " (default: " + roff(option.standard) + ")";
    out += ".\n";
  }
}

std::string manualOf(const Program& p, const std::string& version) {
  std::string upper(p.name);
  for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
  std::string out = ".TH " + upper + " 1 \"\" \"coopc " + version + "\" \"User Commands\"\n.SH NAME\n" +
                    p.name + " \\- " + roff(p.summary) + "\n.SH SYNOPSIS\n.B " + p.name + "\n" +
                    roff(p.synopsis) + "\n.SH DESCRIPTION\n" + roff(p.description) + "\n";
  for (const Command& command : p.commands) {
    if (command.options.empty()) continue;
    out += command.name.empty() ? ".SH OPTIONS\n" : ".SH OPTIONS OF " + std::string(command.name) + "\n";
    addManOptions(out, command.options);
  }
  out += ".SH EXIT STATUS\n" + roff(p.exitStatus) + "\n.SH SEE ALSO\n";
  std::string others;
  for (const Program& other : programs()) {
    if (std::string_view(other.name) == p.name) continue;
    others += (others.empty() ? ".BR " : " ,\n.BR ") + std::string(other.name) + " (1)";
  }
  return out + others + "\n";
}

// Names for shell completion, each once: "-mfmt=" if the value is attached.
std::vector<std::string> offered(const Program& p) {
  std::vector<std::string> names;
  for (const Command& command : p.commands) {
    if (!command.name.empty()) names.emplace_back(command.name);
    for (const Option& option : command.options) {
      if (option.form == Form::Heading || option.help.empty()) continue;
      std::string name(option.name);
      if (option.form == Form::Equals) name += '=';
      bool known = false;
      for (const std::string& n : names) known = known || n == name;
      if (!known) names.push_back(std::move(name));
    }
  }
  return names;
}

std::string bashOf(const Program& p) {
  std::string function(p.name);
  std::string out = "# Completion of " + function + " for bash.\n_" + function +
                    "() {\n"
                    "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                    "  # `=` is a word of its own here.\n"
                    "  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then "
                    "before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                    "  case $before in\n";
  std::vector<std::string_view> done;
  for (const Command& command : p.commands) {
    for (const Option& option : command.options) {
      if (option.form == Form::Heading || option.form == Form::Switch || option.complete == Complete::Nothing)
        continue;
      bool known = false;
      for (const std::string_view n : done) known = known || n == option.name;
      if (known) continue;
      done.push_back(option.name);
      out += "    " + std::string(option.name) + ") COMPREPLY=($(compgen ";
      if (option.complete == Complete::Words) out += "-W '" + std::string(option.words) + "'";
      if (option.complete == Complete::File) out += "-f";
      if (option.complete == Complete::Folder) out += "-d";
      out += " -- \"$word\")); return ;;\n";
    }
  }
  out += "  esac\n  if [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W '";
  for (const std::string& name : offered(p)) out += name + " ";
  out.pop_back();
  out +=
      "' -- \"$word\"))\n    [[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace\n  else\n    "
      "COMPREPLY=($(compgen -f -- \"$word\"))\n";
  for (const Command& command : p.commands)
    if (!command.name.empty())
      out += "    [[ " + std::string(command.name) + " != \"$word\"* ]] || COMPREPLY+=(" +
             std::string(command.name) + ")\n";
  return out + "  fi\n}\ncomplete -o filenames -F _" + function + " " + function + "\n";
}

// Quotes text for both zsh and fish. Any `'` is dropped, because the two escape it differently.
std::string quote(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') continue;
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zshOf(const Program& p) {
  std::string out =
      "#compdef " + std::string(p.name) + "\n# Completion of " + p.name + " for zsh.\n_arguments \\\n";
  for (const Command& command : p.commands) {
    for (const Option& option : command.options) {
      if (option.form == Form::Heading || option.help.empty()) continue;
      out += "  '*" + std::string(option.name);
      if (option.form == Form::Equals) out += "=-";
      if (option.form == Form::Joined) out += '+';
      out += "[" + quote(option.help) + "]";
      if (option.form != Form::Switch) {
        out += ":" + quote(option.argument) + ":";
        if (option.complete == Complete::File) out += "_files";
        if (option.complete == Complete::Folder) out += "_files -/";
        if (option.complete == Complete::Words) out += "(" + std::string(option.words) + ")";
      }
      out += "' \\\n";
    }
  }
  return out + "  '*:file:_files'\n";
}

std::string fishOf(const Program& p) {
  std::string out = "# Completion of " + std::string(p.name) + " for fish.\n";
  for (const Command& command : p.commands) {
    const std::string name(command.name);
    if (!name.empty())
      out += "complete -c " + std::string(p.name) + " -n __fish_use_subcommand -a " + name + "\n";
    for (const Option& option : command.options) {
      if (option.form == Form::Heading || option.help.empty()) continue;
      const bool isLong = option.name.starts_with("--");
      out += "complete -c " + std::string(p.name);
      if (!name.empty()) out += " -n '__fish_seen_subcommand_from " + name + "'";
      // -o: a long option with a single dash.
      out += isLong ? " -l " : option.name.size() == 2 ? " -s " : " -o ";
      out += std::string(option.name.substr(isLong ? 2 : 1));
      if (option.form != Form::Switch) out += " -r";
      if (option.complete == Complete::Words) out += " -f -a '" + std::string(option.words) + "'";
      if (option.complete == Complete::Folder) out += " -a '(__fish_complete_directories)'";
      std::string help;
      for (const char c : option.help)
        if (c != '\'' && c != '\\') help += c;
      out += " -d '" + help + "'\n";
    }
  }
  return out;
}

bool write(const std::filesystem::path& path, const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  const std::string why = coopc::writeWhole(path.string(), text.data(), text.size());
  if (!why.empty()) std::fprintf(stderr, "coopc_write_manual: %s: %s\n", path.string().c_str(), why.c_str());
  return why.empty();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: coopc_write_manual FOLDER VERSION\n", stderr);
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  for (const Program& p : programs()) {
    const std::string name(p.name);
    if (!write(folder / "man" / (name + ".1"), manualOf(p, argv[2])) ||
        !write(folder / "bash" / name, bashOf(p)) || !write(folder / "zsh" / ("_" + name), zshOf(p)) ||
        !write(folder / "fish" / (name + ".fish"), fishOf(p)))
      return 1;
  }
  return 0;
}
