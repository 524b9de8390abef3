import { expect, test } from 'vitest'
import { startProduct } from '../running-product.ts'

test('requests are not printed to the console unless the access log is set to all', async () => {
  for (const wanted of ['notable', 'all'] as const) {
    const environment: Record<string, string> = wanted === 'all' ? { SIGHTLINE_ACCESS_LOG: wanted } : {}
    await using product = await startProduct({ environment, cameras: false })
    await fetch(`${product.origin}/app/`)
    await fetch(`${product.origin}/rest/v2.4/nowhere`)
    await expect.poll(product.output, { timeout: 30_000 }).toContain('Sightline is ready at')
    await product.stop()
    // Slow requests are always printed, and a busy machine is slow.
    const lines = product
      .output()
      .split('\n')
      .filter((line) => line.includes(' request ') && !/ ms=\d{4}/.test(line))
    // The two requests above, and /readyz at least once.
    if (wanted === 'all') expect(lines.length).toBeGreaterThanOrEqual(3)
    else expect(lines).toEqual([])
  }
})
