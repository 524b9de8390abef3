import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { isLongRun } from './long-run.ts'

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of the system's Chromium; without one, browser tests are skipped and reported. */
export const chromiumPath = candidates.find((path) => existsSync(path))

/**
 * The same Chromium without window, tabs and extensions: a sign-in costs 0.9 s of processor time instead of 2.4 s. A
 * separate package in Debian.
 */
const headlessShell = '/usr/bin/chromium-headless-shell'

export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser
  newPage(options?: PageOptions): Promise<TestPage>
}

export interface PageOptions {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  readonly locale?: string
  /** The screen is touched: see `touch.ts`. */
  readonly touch?: boolean
}

export interface TestPage extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** The page's exceptions, console errors and violations of the content security policy. */
  readonly complaints: readonly string[]
}

export interface BrowserSettings {
  /** Uses the whole browser, for what the shell lacks (push messages) and for measurements. The long run always does. */
  readonly isWhole?: boolean
  /** What the browser's microphone hears, over and over: a WAV file. */
  readonly microphone?: string
}

/** Shared by all test files of this process; each page has its own profile. */
let shell: Promise<Browser> | undefined

async function sharedShell(): Promise<Browser> {
  const running = await shell?.catch(() => undefined)
  if (running?.isConnected() === true) return running
  shell = launch(headlessShell)
  return shell
}

/** For programs other than tests, which would go on as long as it runs. */
export async function closeSharedBrowser(): Promise<void> {
  await (await shell?.catch(() => undefined))?.close()
  shell = undefined
}

/** A headless Chromium that connects only to this machine. A whole browser is a new one. Disposing closes its pages. */
export async function openBrowser({ isWhole = isLongRun, microphone }: BrowserSettings = {}): Promise<TestBrowser> {
  if (chromiumPath === undefined) throw new Error('no Chromium; ask chromiumPath first')
  if (isWhole || microphone !== undefined || !existsSync(headlessShell)) {
    const browser = await launch(chromiumPath, microphone === undefined ? [] : microphoneArgs(microphone))
    return {
      browser,
      newPage: (options = {}) => newPage(browser, options),
      [Symbol.asyncDispose]: () => browser.close(),
    }
  }
  const browser = await sharedShell()
  const pages: TestPage[] = []
  return {
    browser,
    async newPage(options = {}) {
      const page = await newPage(browser, options)
      pages.push(page)
      return page
    },
    async [Symbol.asyncDispose]() {
      for (const page of pages) await page[Symbol.asyncDispose]()
    },
  }
}

const launchArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]

const microphoneArgs = (path: string): readonly string[] => [
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${path}`,
]

const launch = (executablePath: string, more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...launchArgs, ...more] })

/** A whole Chromium of its own that can be killed like one whose machine loses its power. */
export async function openKillableBrowser(): Promise<{ readonly browser: Browser; kill(): void }> {
  if (chromiumPath === undefined) throw new Error('no Chromium; ask chromiumPath first')
  const server = await chromium.launchServer({ executablePath: chromiumPath, args: launchArgs })
  const browser = await chromium.connect(server.wsEndpoint())
  return { browser, kill: () => void server.process().kill('SIGKILL') }
}

async function newPage(browser: Browser, options: PageOptions): Promise<TestPage> {
  const { width = 1440, height = 900, dark = false, locale = 'en-GB', touch = false } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    locale,
    timezoneId: 'Europe/Amsterdam',
    hasTouch: touch,
  })
  const page = await context.newPage()
  watchRequests(page)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  return {
    page,
    context,
    complaints,
    async [Symbol.asyncDispose]() {
      // Routes that still wait for a reply fail once the page is closed; a test may have closed it itself.
      await page.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => undefined)
      await context.close()
    },
  }
}

interface Requests {
  readonly open: Set<Request>
  changedAt: number
}

const requestsOf = new WeakMap<Page, Requests>()
/** As long as Playwright's own state `networkidle`. */
const QUIET_MS = 500
const NEVER_QUIET_MS = 60_000

/** The stream of events is open as long as the page. */
const isEndless = (request: Request): boolean => request.url().includes('/events/stream')

function watchRequests(page: Page): void {
  const requests: Requests = { open: new Set(), changedAt: Date.now() }
  requestsOf.set(page, requests)
  const change = (request: Request, isOpen: boolean) => {
    if (isEndless(request)) return
    if (isOpen) requests.open.add(request)
    else requests.open.delete(request)
    requests.changedAt = Date.now()
  }
  page.on('request', (request) => change(request, true))
  page.on('requestfinished', (request) => change(request, false))
  page.on('requestfailed', (request) => change(request, false))
}

/** Waits until a page had no requests for half a second, the stream of events aside. */
export async function quietNetwork(page: Page): Promise<void> {
  const requests = requestsOf.get(page)
  if (requests === undefined) throw new Error('this page was not opened by newPage')
  const last = Date.now() + NEVER_QUIET_MS
  while (requests.open.size > 0 || Date.now() - requests.changedAt < QUIET_MS) {
    const urls = [...requests.open].map((request) => request.url())
    if (Date.now() > last) throw new Error(`the page never stopped asking: ${urls.join(' ')}`)
    await sleep(50)
  }
}
