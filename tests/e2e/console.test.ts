import { expect, test } from 'vitest'
import { startProduct } from '../running-product.ts'

test('what is printed at the start is not drowned by requests, unless every one of them was asked for', async () => {
  for (const wanted of ['notable', 'all'] as const) {
    const environment: Record<string, string> = wanted === 'all' ? { SIGHTLINE_ACCESS_LOG: wanted } : {}
    await using product = await startProduct({ environment, cameras: false })
    await fetch(`${product.origin}/app/`)
    await fetch(`${product.origin}/rest/v2.4/nowhere`)
    await expect.poll(product.output, { timeout: 30_000 }).toContain('Sightline is ready at')
    await product.stop()
    // Slow ones are printed always, and a busy machine is slow.
    const lines = product
      .output()
      .split('\n')
      .filter((line) => line.includes(' request ') && !/ ms=\d{4}/.test(line))
    // The two above, and /readyz at least once.
    if (wanted === 'all') expect(lines.length).toBeGreaterThanOrEqual(3)
    else expect(lines).toEqual([])
  }
})
