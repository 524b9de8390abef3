import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '../tests/running-product.ts'

const page = join(repository, 'docs/benchmarks.md')

/** Puts the results of one bench in their place on the page, between its two marks. */
export async function writeResults(name: string, results: string): Promise<void> {
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- /bench ${name} -->`]
  const text = await readFile(page, 'utf8')
  const [from, till] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || till < from) throw new Error(`${page} has no place for ${name}: expected ${begin} and ${end}`)
  await writeFile(page, `${text.slice(0, from + begin.length)}\n\n${results}\n\n${text.slice(till)}`)
}
