import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { casesToTry } from '../long-run.ts'
import { startProduct } from '../running-product.ts'

async function processGroup(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name in parentheses may contain anything, so fields are counted after the last one: state, parent, group.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]
}

test.each(casesToTry(['SIGINT', 'SIGHUP']))(
  '%s to the whole process group, as a terminal sends it, stops cleanly without warnings',
  async (signal) => {
    await using product = await startProduct()
    const pids = await product.processes()
    const [main = 0] = pids
    const group = await processGroup(main)
    const groups = await Promise.all(pids.map(processGroup))
    const reached = pids.filter((_, index) => groups[index] === group)
    expect(reached.length).toBeGreaterThan(2)
    // Children first, so that the parent could notice their exits before its own signal.
    for (const pid of reached.toReversed()) process.kill(pid, signal)
    expect(await product.ended).toBe(0)
    expect(product.output()).toContain('stopping')
    expect(product.output()).not.toMatch(/unexpected|^\d\d:\d\d:\d\d [!✗] /m)
  },
)
