import { expect, test } from 'vitest'
import { chromiumPath, openBrowser } from '../browser.ts'
import { startProduct } from '../running-product.ts'
import { openSignedIn } from '../signed-in.ts'

test.skipIf(chromiumPath === undefined)(
  '§4 the callback carries access_token and expires_in: both apps sign in, and the token is in no lasting URL, referrer or log',
  async () => {
    await using product = await startProduct({ cameras: false, environment: { SIGHTLINE_AUTH_FLOW: 'token' } })
    await using browser = await openBrowser()
    await using opened = await browser.newPage()
    const { page } = opened
    const seen: URL[] = []
    const referers: string[] = []
    page.on('request', (request) => {
      seen.push(new URL(request.url()))
      referers.push(request.headers().referer ?? '')
    })
    await openSignedIn(page, `${product.origin}/`)
    await page.waitForURL(`${product.origin}/details`)
    await page.goto(`${product.origin}/app/`)
    await page.getByRole('heading', { name: 'Cameras' }).waitFor()
    expect(new URL(page.url()).search).toBe('')

    const tokens = seen.flatMap((url) => url.searchParams.get('access_token') ?? [])
    expect(tokens).toHaveLength(2)
    expect(seen.some((url) => url.searchParams.has('code'))).toBe(false)
    for (const token of tokens) {
      expect(referers.join('\n')).not.toContain(token)
      expect(product.output()).not.toContain(token)
    }
    await page.goBack()
    expect(page.url()).not.toContain('access_token')
    expect(opened.complaints).toEqual([])
  },
)
