import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, quietNetwork } from '../browser.ts'
import { looksToTry } from '../long-run.ts'
import { overflow } from '../screens.ts'
import { openSignedIn } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const pages = [
  ['/terms', 'General terms', 'Dutch law applies'],
  ['/subscriptionagreement', 'Services subscription agreement', 'The law of the State of New York applies'],
  ['/aditerms', 'Third-party terms and privacy', 'speed of the network'],
] as const

let app: RunningWebApp
beforeAll(async () => {
  if (chromiumPath !== undefined) app = await startWebApp()
}, 120_000)
afterAll(() => app?.[Symbol.asyncDispose]())

const origin = (name?: string) =>
  name === undefined ? app.product.origin : `http://${name}.localhost:${app.product.port}`

describe.skipIf(chromiumPath === undefined).each(pages)('%s', (path, title, point) => {
  test.each(
    looksToTry([
      [360, true],
      [768, false],
      [1280, true],
    ]),
  )(
    'needs no sign-in, links its contents to the sections, and fits a window of %i pixels, dark: %s',
    async (width, dark) => {
      await using visit = await app.newPage({ width, dark })
      const { page } = visit
      await page.goto(`${origin()}${path}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByText(point).first().waitFor()
      await page.getByText('This is a template.').waitFor()
      expect(await page.title()).toBe(`${title} · Sightline`)
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      const last = page.getByRole('link', { name: /Contact$/ })
      await last.click()
      const section = page.getByRole('heading', { name: /Contact$/ })
      await expect
        .poll(() => section.evaluate((node) => node.getBoundingClientRect().top < window.innerHeight))
        .toBe(true)
      expect(new URL(page.url()).hash).toMatch(/contact$/)
      expect(visit.complaints).toEqual([])
    },
  )
})

test.skipIf(chromiumPath === undefined)('a printed page has the text without header, contents and footer', async () => {
  await using visit = await app.newPage()
  const { page } = visit
  await page.goto(`${origin()}/terms`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('banner').isVisible()).toBe(false)
  expect(await page.getByRole('contentinfo').isVisible()).toBe(false)
  expect(await page.getByRole('heading', { name: 'Contents' }).isVisible()).toBe(false)
  expect(await page.getByText('Dutch law applies').isVisible()).toBe(true)
})

test.skipIf(chromiumPath === undefined)('a link to a section scrolls to it', async () => {
  await using visit = await app.newPage()
  const { page } = visit
  await page.goto(`${origin()}/subscriptionagreement#privacy`)
  const heading = page.getByRole('heading', { name: 'Privacy policy' })
  await expect.poll(() => heading.evaluate((node) => Math.abs(node.getBoundingClientRect().top) < 200)).toBe(true)
})

test.skipIf(chromiumPath === undefined)(
  'in another language the page says that only the English text is legally binding',
  async () => {
    await using visit = await app.newPage({ locale: 'nl' })
    const { page } = visit
    await page.goto(`${origin()}/terms`)
    await page.getByText('Alleen de Engelse versie is juridisch bindend.').waitFor()
    expect(await page.getByRole('article').getAttribute('lang')).toBe('en')
  },
)

test.skipIf(chromiumPath === undefined)('a brand chooses which pages its footer links to', async () => {
  await using visit = await app.newPage()
  const { page } = visit
  const linksAt = async (at: string) => {
    await page.goto(`${at}/cookies`)
    const footer = page.getByRole('contentinfo')
    const of = (name: string) => footer.getByRole('link', { name }).getAttribute('href')
    return [await of('Privacy policy'), await of('Terms'), await of('Cookies')]
  }
  expect(await linksAt(origin())).toEqual(['/aditerms#privacy', '/terms', '/cookies'])
  const agreement = '/subscriptionagreement'
  expect(await linksAt(origin('beacon-hill'))).toEqual([`${agreement}#privacy`, agreement, '/cookies'])
})

test.skipIf(chromiumPath === undefined)('an operator replaces the template with a brand’s own text', async () => {
  const folder = join(app.product.dataFolder, 'legal/255')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'terms.md'), 'Version: 7\n# Terms of {company}\n\nBe kind.\n')
  await using visit = await app.newPage()
  const { page } = visit
  await page.goto(`${origin('demo')}/terms`)
  await page.getByRole('heading', { level: 1, name: 'Terms of Harbour Guard' }).waitFor()
  await page.getByText('Version 7').waitFor()
  expect(await page.getByText('This is a template.').count()).toBe(0)
  await page.goto(`${origin('beacon-hill')}/terms`)
  await page.getByRole('heading', { level: 1, name: 'General terms' }).waitFor()
})

test.skipIf(chromiumPath === undefined)(
  'a brand that asks for its agreement lets users continue only after accepting it, once per version',
  async () => {
    const at = origin('beacon-hill')
    await using visit = await app.newPage({ width: 360, dark: true })
    const { page } = visit
    await openSignedIn(page, `${at}/`, 'hotel@demo.example')
    const dialog = page.getByRole('dialog', { name: 'Before you continue' })
    await dialog.waitFor()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    const accept = dialog.getByRole('button', { name: 'Accept' })
    await dialog.getByRole('checkbox').first().waitFor()
    for (const each of await dialog.getByRole('checkbox').all()) {
      expect(await accept.isDisabled()).toBe(true)
      await each.check()
    }
    expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape')
    await dialog.waitFor()
    await accept.click()
    await dialog.waitFor({ state: 'hidden' })
    for (const path of ['/details', '/app/']) {
      await page.goto(`${at}${path}`)
      await page.getByRole('main').waitFor()
      await quietNetwork(page)
      expect(await dialog.count()).toBe(0)
    }
    const folder = join(app.product.dataFolder, 'legal')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'subscriptionagreement.md'), 'Version: next\n# Agreement\n\nAnother one.\n')
    await page.goto(`${at}/app/`)
    await dialog.getByText('version next').waitFor()
    expect(visit.complaints).toEqual([])
  },
)
