// @ts-check
// `npm run kit:pictures`: the pictures of docs/design/look.md, of the page that `npm run kit` shows. Needs /usr/bin/chromium.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openBrowser } from '../tests/browser.ts'
import { startGallery } from '../tests/kit-gallery.ts'

const folder = resolve(import.meta.dirname, '../docs/pictures')
const MAX_KIB = 300
const WIDTH = 1280

/** @type {readonly { name: string, dir?: string, dark?: boolean, forced?: boolean }[]} */
const pictures = [
  { name: 'kit-light' },
  { name: 'kit-dark', dark: true },
  { name: 'kit-right-to-left', dir: 'rtl' },
  { name: 'kit-forced-colors', dark: true, forced: true },
]

await using gallery = await startGallery()
await using browser = await openBrowser()
for (const { name, dir = 'ltr', dark = false, forced = false } of pictures) {
  await using tab = await browser.newPage({ width: WIDTH, height: 900, dark })
  const { page } = tab
  await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: forced ? 'active' : 'none' })
  await page.goto(`${gallery.origin}/?dir=${dir}&people=5`, { waitUntil: 'networkidle' })
  await page.getByRole('table', { name: 'Users', exact: true }).waitFor()
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(2)
    .click()
  await page.getByText('1 selected', { exact: true }).waitFor()
  // As high as the page, so that a popup stands where it does on a screen.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width: WIDTH, height })
  await page.getByRole('button', { name: 'More actions' }).press('Enter')
  await page.getByRole('menu').waitFor()
  const path = resolve(folder, `${name}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  const kib = Math.ceil((await stat(path)).size / 1024)
  process.stdout.write(`${name}.png ${kib} KiB\n`)
  if (kib > MAX_KIB) throw new Error(`${path} has ${kib} KiB, more than ${MAX_KIB}`)
}
