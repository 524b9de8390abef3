import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, chromium } from 'playwright-core'
import { chromiumPath } from '../../tests/browser.ts'
import { freePort, startProduct } from '../../tests/running-product.ts'
import { openSignedIn } from '../../tests/signed-in.ts'
import type { BenchResult, Figure, Pace } from '../figure.ts'
import { median } from '../quantile.ts'

const installed = join(import.meta.dirname, 'lighthouse/node_modules/lighthouse/cli/index.js')
const RUNS: Readonly<Record<Pace, number>> = { full: 5, short: 1 }

/** The categories of Lighthouse. */
const categories = [
  { id: 'performance', name: 'performance' },
  { id: 'accessibility', name: 'accessibility' },
  { id: 'best-practices', name: 'best practices' },
  { id: 'seo', name: 'search engines' },
] as const
type Category = (typeof categories)[number]['id']

interface JudgedPage {
  readonly name: string
  readonly path: string
  /** The signed-in user; undefined for the sign-in page. */
  readonly email?: string
  /** A text that the page shows once it is complete. */
  readonly shows?: string
  /** The required score of each category, out of 100; missing categories are not measured. */
  readonly least: Readonly<Partial<Record<Category, number>>>
}

const PORTAL = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 }
const APPS = { performance: 95, accessibility: 100, 'best-practices': 100 }

const pages: readonly JudgedPage[] = [
  { name: 'Sign-in page', path: '/', least: PORTAL },
  { name: 'Details, signed in', path: '/details', email: 'owner@demo.example', shows: 'First name', least: PORTAL },
  { name: 'Cameras of the Web App', path: '/app/', email: 'owner@demo.example', shows: 'Entrance', least: APPS },
  { name: 'Accounts of a dealer', path: '/dealer/', email: 'dealer@demo.example', shows: 'Corner Shop', least: APPS },
]

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
  readonly environment: { readonly benchmarkIndex: number }
}

/**
 * Lighthouse scores of each application's first page, as on a phone: the median of several runs. Only a remark if Lighthouse
 * or Chromium is not installed.
 */
export async function scores(pace: Pace): Promise<BenchResult> {
  if (chromiumPath === undefined)
    return { figures: [], remarks: ['Without Lighthouse scores: Chromium is not installed.'] }
  if (!existsSync(installed)) {
    const how = '`npm ci --prefix bench/first-load/lighthouse`'
    return { figures: [], remarks: [`Without Lighthouse scores: Lighthouse is not installed (${how}).`] }
  }
  await using product = await startProduct()
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'))
  const port = await freePort()
  const browser = await openBrowserAt(port, folder)
  try {
    const outcomes: BenchResult[] = []
    for (const judged of pages) {
      await signInAs(browser, product.origin, judged)
      const reports: Report[] = []
      for (let run = 0; run < RUNS[pace]; run += 1) {
        await forgetFiles(browser)
        reports.push(await reportAt(`${product.origin}${judged.path}`, port))
      }
      outcomes.push(outcomeOf(judged, reports))
    }
    return {
      figures: outcomes.flatMap(({ figures }) => figures),
      remarks: [
        ...outcomes.flatMap(({ remarks }) => remarks),
        'Lighthouse 13.5.0 as on a phone: 412 pixels, slow 4G and a quarter of the processor, both simulated from an unthrottled run; first visit; scores out of 100.',
      ],
    }
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A browser that Lighthouse can connect to, with a profile that stays signed in. */
const openBrowserAt = (port: number, folder: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, {
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', `--remote-debugging-port=${port}`],
  })

/** Signs in the page's user, as the only one in this browser. */
async function signInAs(browser: BrowserContext, origin: string, { path, email, shows }: JudgedPage): Promise<void> {
  if (email === undefined || shows === undefined) return
  await browser.clearCookies()
  const page = await browser.newPage()
  await openSignedIn(page, `${origin}${path}`, email)
  await page.getByText(shows).first().waitFor()
  await page.close()
}

/** Clears caches as for a first visit. Lighthouse could do that, but would also sign the user out. */
async function forgetFiles(browser: BrowserContext): Promise<void> {
  const page = await browser.newPage()
  const session = await browser.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await page.close()
}

/** On a busy machine Lighthouse occasionally loses a trace and asks to be run again; retries twice. */
async function reportAt(address: string, port: number, again = 2): Promise<Report> {
  try {
    return await report(address, port)
  } catch (cause) {
    if (again === 0) throw new Error(`Lighthouse could not judge ${address}`, { cause })
    return await reportAt(address, port, again - 1)
  }
}

/** Runs in a separate process, so that this one can handle the browser's events meanwhile. */
async function report(address: string, port: number): Promise<Report> {
  const only = `--only-categories=${categories.map(({ id }) => id).join(',')}`
  const words = [address, `--port=${port}`, '--output=json', '--quiet', '--disable-storage-reset', only]
  const { stdout } = await promisify(execFile)(process.execPath, [installed, ...words, '--no-enable-error-reporting'], {
    maxBuffer: 100_000_000,
    env: { PATH: process.env.PATH ?? '' },
  })
  return JSON.parse(stdout) as Report
}

function outcomeOf({ name: what, least: leasts }: JudgedPage, reports: readonly Report[]): BenchResult {
  const middle = (of: (report: Report) => number) => median(reports.map(of))
  const figures = categories.flatMap(({ id, name }): readonly Figure[] => {
    const least = leasts[id]
    if (least === undefined) return []
    const ours = Math.round(100 * middle((report) => report.categories[id]?.score ?? 0))
    return [{ what: `${what}, ${name}`, unit: '', ours, target: { is: 'at least', value: least } }]
  })
  const audit = (id: string) => Math.round(middle((report) => report.audits[id]?.numericValue ?? 0))
  const speed = Math.round(middle((report) => report.environment.benchmarkIndex))
  const times = `largest paint ${audit('largest-contentful-paint')} ms, blocked ${audit('total-blocking-time')} ms`
  return {
    figures,
    remarks: [`${what}: ${times}; this machine's speed during the run: ${speed} (Lighthouse expects 1,000 or more).`],
  }
}
