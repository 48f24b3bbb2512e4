-- neovim.lua: a session of Neovim with coopls, headless: nvim --headless -u NONE -c 'luafile neovim.lua'. The environment has
-- COOPLS (the program), COOPLS_FOLDER (an empty folder) and COOPLS_SAMPLES (shaders, separated by blanks). It prints what it
-- did, and ends with code 1 where something is not as it should be. Works from Neovim 0.7 on.
local failed
local function check(good, what)
  if not good then
    failed = what
    error(what)
  end
end

local published = {}
local show = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(fault, result, ...)
  published[result.uri] = result.diagnostics
  return show(fault, result, ...)
end

local client
local function open(path)
  vim.cmd('edit ' .. vim.fn.fnameescape(path))
  local buffer = vim.api.nvim_get_current_buf()
  client = client or vim.lsp.start_client({cmd = {vim.env.COOPLS}, root_dir = vim.env.COOPLS_FOLDER, name = 'coopls'})
  check(client, 'the server does not start')
  check(vim.lsp.buf_attach_client(buffer, client), path .. ' is not attached')
  local uri = vim.uri_from_bufnr(buffer)
  check(vim.wait(20000, function() return published[uri] ~= nil end, 5), 'no diagnostics of ' .. path)
  return buffer, uri
end

local function diagnosed(uri, count)
  return vim.wait(20000, function() return #published[uri] == count end, 5)
end

local function ask(method, line, character, more)
  local parameters = {textDocument = {uri = vim.uri_from_bufnr(0)}, position = {line = line, character = character}}
  for key, value in pairs(more or {}) do parameters[key] = value end
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 20000)
  check(answers and answers[client] and not answers[client].error, method .. ' has no answer')
  return answers[client].result
end

local function session()
  local path = vim.env.COOPLS_FOLDER .. '/typed.comp'
  local text = {'#version 450', 'layout(binding = 0) buffer B { float amount; } b;', '// Twice as much.',
    'float twice(float x) { return 2.0 * x; }', 'void main() {', '  b.amount = twice(1.0);', '}'}
  vim.fn.writefile(text, path)
  local buffer, uri = open(path)
  check(diagnosed(uri, 0), 'the text is right')

  -- Type through an error.
  vim.api.nvim_win_set_cursor(0, {6, 0})
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('o  b.amoun<Esc>', true, false, true), 'xt', false)
  check(diagnosed(uri, 2), 'an unfinished statement has two errors: the member and the semicolon')
  local items = ask('textDocument/completion', 6, 10).items
  check(#items == 1 and items[1].label == 'amount', 'the member is offered')
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('At += 1.0;<Esc>', true, false, true), 'xt', false)
  check(diagnosed(uri, 0), 'the statement is finished')

  -- A quick fix.
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('o  b.amount = lerp(0.0, 1.0, 0.5);<Esc>', true, false, true), 'xt', false)
  check(diagnosed(uri, 1), 'a name of HLSL is an error')
  local actions = ask('textDocument/codeAction', 7, 0, {range = published[uri][1].range, context = {diagnostics = published[uri]}})
  check(#actions == 1 and actions[1].title == 'Replace by `mix`', 'a fix is offered')
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  check(diagnosed(uri, 0), 'the fix mends it')

  local hover = ask('textDocument/hover', 5, 14)
  check(hover.contents.value:find('Twice as much.', 1, true), 'hover has the comment')
  local definition = ask('textDocument/definition', 5, 14)
  check(definition.range.start.line == 3, 'the definition is found')

  -- Rename, by the editor's own function.
  vim.api.nvim_win_set_cursor(0, {6, 14})
  vim.lsp.buf.rename('doubled')
  check(vim.wait(20000, function() return vim.api.nvim_buf_get_lines(buffer, 3, 4, true)[1]:find('doubled', 1, true) ~= nil end, 5), 'the function is renamed')
  check(vim.api.nvim_buf_get_lines(buffer, 5, 6, true)[1] == '  b.amount = doubled(1.0);', 'and its call')
  check(#ask('textDocument/documentSymbol', 0, 0) >= 3, 'an outline')

  local samples = 0
  for sample in vim.env.COOPLS_SAMPLES:gmatch('%S+') do
    local _, of = open(sample)
    for _, diagnostic in ipairs(published[of]) do check(diagnostic.severity > 1, sample .. ': ' .. diagnostic.message) end
    samples = samples + 1
  end
  check(vim.lsp.get_client_by_id(client) ~= nil, 'the server lives')
  io.stdout:write('neovim: a session, ' .. samples .. ' samples\n')
end

local good, why = pcall(session)
if not good then io.stdout:write('FAILED: ' .. tostring(failed or why) .. '\n') end
vim.cmd(good and 'qall!' or 'cquit 1')
