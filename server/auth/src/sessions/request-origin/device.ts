import type { Device } from '@sightline/contract/sessions'
import Bowser from 'bowser'

/** Longer ones are not read: what says so little in so many characters is made up. */
const MAX_CHARACTERS = 512

const kinds: Readonly<Record<string, Device['kind']>> = {
  desktop: 'desktop',
  mobile: 'phone',
  tablet: 'tablet',
  tv: 'tv',
}

const UNKNOWN: Device = { browser: null, system: null, kind: null }

/**
 * Browser, system and kind of device, as the header `User-Agent` has them. Without versions: browsers no longer tell that of
 * the system (User-Agent reduction), and their own is another one each month.
 */
export function parseDevice(userAgent: string | undefined): Device {
  if (userAgent === undefined || userAgent === '' || userAgent.length > MAX_CHARACTERS) return UNKNOWN
  const { browser, os, platform } = Bowser.parse(userAgent)
  return {
    browser: oneOf(BROWSERS, browser.name),
    system: oneOf(SYSTEMS, os.name),
    kind: kinds[platform.type ?? ''] ?? null,
  }
}

// Of what it does not know the parser repeats a word of the header, which anybody may choose and which would be in our mails.
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP))
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP))

const oneOf = (known: ReadonlySet<string>, name: string | undefined): string | null =>
  name !== undefined && known.has(name) ? name : null
