import type { Device } from '@sightline/contract/sessions'
import Bowser from 'bowser'

/** Longer headers aren't parsed, because they aren't real. */
const MAX_CHARACTERS = 512

const kinds: Readonly<Record<string, Device['kind']>> = {
  desktop: 'desktop',
  mobile: 'phone',
  tablet: 'tablet',
  tv: 'tv',
}

const UNKNOWN: Device = { browser: null, system: null, kind: null }

/**
 * Browser, system and kind of device from the `User-Agent` header. Without versions: browsers no longer report the
 * system's (User-Agent reduction), and their own changes monthly.
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

// The parser copies unknown words from the header, which the sender chooses and which would appear in our emails.
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP))
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP))

const oneOf = (known: ReadonlySet<string>, name: string | undefined): string | null =>
  name !== undefined && known.has(name) ? name : null
