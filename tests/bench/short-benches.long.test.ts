import { expect, test } from 'vitest'
import { api } from '../../bench/api/api.ts'
import { toTable } from '../../bench/figure.ts'
import { rights } from '../../bench/rights/rights.ts'

test.each([api, rights])('$name: the short bench completes and has a number in every row', async (bench) => {
  const { figures } = await bench.run('short')
  const rows = toTable(figures).split('\n').slice(2)
  expect(rows).toHaveLength(figures.length)
  expect(rows.length).toBeGreaterThan(0)
  for (const { what, ours } of figures) expect([what, Number.isFinite(ours)]).toEqual([what, true])
})
