import { join } from 'node:path'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { chromiumPath, openBrowser } from '../../tests/browser.ts'
import { chooseOption } from '../../tests/popups.ts'
import { startProduct } from '../../tests/running-product.ts'
import { fetchToken, openSignedIn } from '../../tests/signed-in.ts'
import { type Bench, type BenchResult, CannotMeasure, type Pace } from '../figure.ts'
import { inInstallation } from '../installation.ts'
import { median } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

const OWNER = 'owner@demo.example'
const PEOPLE = 10_000
const ROUNDS: Readonly<Record<Pace, number>> = { full: 15, short: 3 }

/** An account with ten thousand users: time until its list shows the first ones. */
export const people: Bench = {
  name: 'people',
  title: 'List of 10,000 users',
  async run(pace) {
    if (chromiumPath === undefined) throw new CannotMeasure('there is no Chromium')
    return await inTemporaryFolder(async (folder) => {
      await prepare(folder)
      return await measure(folder, ROUNDS[pace])
    })
  },
}

/** Adds users with SQL, because ten thousand calls take minutes; ignores the limit of sub-users. */
async function prepare(dataFolder: string): Promise<void> {
  await using first = await startProduct({ dataFolder })
  await first.stop()
  await inInstallation(dataFolder, async ({ db }) => {
    await sql`alter table users disable trigger limit_of_sub_users`.execute(db.plain)
    await sql`insert into users (account_id, user_id, reseller_id, email, email_folded, first_name, last_name)
      select o.account_id, 100000 + n, o.reseller_id, 'person' || n || '@many.example', 'person' || n || '@many.example',
             'Person', lpad(n::text, 5, '0')
        from users o, generate_series(1, ${PEOPLE}) n where o.email_folded = ${OWNER}`.execute(db.plain)
    await sql`alter table users enable trigger limit_of_sub_users`.execute(db.plain)
    await sql`analyze users`.execute(db.plain)
  })
}

async function measure(dataFolder: string, rounds: number): Promise<BenchResult> {
  const environment = { SIGHTLINE_DEMO: 'off', SIGHTLINE_DEMO_PASSWORD: '', SIGHTLINE_CALLS_PER_SECOND: '0' }
  await using product = await startProduct({ dataFolder, environment })
  const headers = { authorization: `Bearer ${await fetchToken(product.origin, OWNER)}` }
  const call = await callTimes(`${product.origin}/rest/v2.4/users?limit=25`, { headers, rounds })
  await using browser = await openBrowser({ isWhole: true })
  await using opened = await browser.newPage()
  const { page } = opened
  await page.addInitScript({ path: join(import.meta.dirname, 'note-first-row.js') })
  await openSignedIn(page, `${product.origin}/app/users`, OWNER)
  await firstRow(page)
  const few = await times(rounds, () => reloaded(page))
  await chooseOption(page.getByLabel('Rows per page'), 'All')
  const all = await times(rounds, () => reloaded(page))
  const beside = { name: 'its call alone', value: median(call) }
  return {
    figures: [
      { what: 'From navigation to the first row, 25 a page', unit: 'ms', ours: median(few), beside },
      { what: 'The same with all rows on the page', unit: 'ms', ours: median(all), beside },
    ],
    remarks: [
      `Median of ${rounds} loads of a page whose files the browser has kept, in headless Chromium, 1440 × 900. The call alone: GET users?limit=25 over a kept connection.`,
    ],
  }
}

async function firstRow(page: Page): Promise<number> {
  const noted = await page.waitForFunction(() => (globalThis as { firstRowMs?: number }).firstRowMs)
  return Number(await noted.jsonValue())
}

async function reloaded(page: Page): Promise<number> {
  await page.reload()
  return firstRow(page)
}

async function times(rounds: number, once: () => Promise<number>): Promise<readonly number[]> {
  const taken: number[] = []
  for (let round = 0; round < rounds; round += 1) taken.push(await once())
  return taken
}

function callTimes(url: string, { headers, rounds }: { headers: Record<string, string>; rounds: number }) {
  return times(rounds + 5, async () => {
    const begun = performance.now()
    const response = await fetch(url, { headers })
    const found: unknown = await response.json()
    if (!Array.isArray(found) || found.length !== 25) throw new Error(`GET users answers ${response.status}`)
    return performance.now() - begun
  })
}
