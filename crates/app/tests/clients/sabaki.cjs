// Drives `tesuji gtp` with the GTP client that Sabaki uses: a game against itself, an analysis, errors.
// Usage: node sabaki.cjs ENGINE ARGUMENTS…
const {Controller} = require('@sabaki/gtp')
const assert = require('assert')

async function main() {
  const [engine, ...args] = process.argv.slice(2)
  const controller = new Controller(engine, args)
  controller.start()
  const send = async (name, ...args) => {
    const response = await controller.sendCommand({name, args: args.map(String)})
    assert(!response.error, `${name} ${args.join(' ')}: ${response.content}`)
    return response.content
  }
  assert.strictEqual(await send('name'), 'tesuji')
  const commands = (await send('list_commands')).split('\n')
  for (const needed of ['analyze', 'genmove_analyze', 'lz-analyze', 'kata-analyze', 'undo', 'loadsgf']) {
    assert(commands.includes(needed), needed)
  }
  await send('boardsize', 7)
  await send('komi', 5.5)
  await send('clear_board')
  let passes = 0, moves = 0
  for (; passes < 2 && moves < 150; moves++) {
    const vertex = await send('genmove', moves % 2 ? 'W' : 'B')
    if (vertex === 'resign') break
    assert(/^([A-HJ]\d|pass)$/.test(vertex), vertex)
    passes = vertex === 'pass' ? passes + 1 : 0
  }
  await send('undo')
  await send('clear_board')
  // Sabaki's own way: subscribe to the lines of an analysis and end it with another command.
  let updates = []
  const analysis = controller.sendCommand({name: 'analyze', args: ['B', '10']}, ({line}) => {
    if (line.startsWith('info ')) updates.push(line)
  })
  while (updates.length < 3) await new Promise(resolve => setTimeout(resolve, 20))
  await send('protocol_version')
  assert(!(await analysis).error)
  for (const update of updates) {
    for (const group of update.split(/\s*info\s+/).slice(1)) {
      // Sabaki's parser: everything after pv is the variation.
      const match = group.match(/^(.*?)\s+pv\s+((?:(?:pass|[A-Za-z]\d{1,2})\s*)+)$/)
      assert(match, group)
      const words = match[1].split(/\s+/)
      const value = key => words[words.indexOf(key) + 1]
      assert(words.includes('move') && words.includes('visits') && words.includes('winrate'), group)
      assert(value('winrate').includes('.') && Number(value('winrate')) >= 0 && Number(value('winrate')) <= 1, group)
    }
  }
  const unknown = await controller.sendCommand({name: 'nonsense', args: []})
  assert(unknown.error)
  await controller.stop()
  console.log(`played ${moves} moves, ${updates.length} updates`)
}
main().then(() => process.exit(0), error => { console.error(error); process.exit(1) })
