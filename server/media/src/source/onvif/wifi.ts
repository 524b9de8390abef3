import type { ScannedNetwork, WifiChange, WifiChangeAnswer, WifiState } from '@sightline/contract/media-plane'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import type { CameraHabits, PendingWifi, WifiOrders } from '../camera-habits.ts'
import type { OnvifFault, OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { element, list, number, optionalElement, text } from './shapes.ts'
import { escapeXml } from './xml.ts'

const MAX_NETWORKS = 64
const MAX_INTERFACES = 16
/** The interface type of IEEE 802.11 (IANA ifType). */
const WIFI_TYPE = 71
const SCHEMA = 'http://www.onvif.org/ver10/schema'
const SCAN_MS = 10_000
/** How long a camera is given to do what it accepted. */
const PATIENCE_MS = { joining: 30_000, others: 10_000 } as const
const TOP_PRIORITY = 31

const dot11 = z.object({
  SSID: text,
  Alias: text,
  Mode: text,
  Security: optionalElement(z.object({ Mode: text })),
})
const interfacesShape = z.object({
  NetworkInterfaces: list(
    z.object({
      '@token': text,
      Enabled: text,
      Extension: optionalElement(z.object({ InterfaceType: number, Dot11: list(dot11, MAX_NETWORKS) })),
    }),
    MAX_INTERFACES,
  ),
})
const statusShape = z.object({ Status: element(z.object({ SSID: text })) })
const scanShape = z.object({
  Networks: list(z.object({ SSID: text, AuthAndMangementSuite: text, SignalStrength: text }), MAX_NETWORKS),
})
const empty = z.unknown()

type Security = ScannedNetwork['security']
const securities: Readonly<Record<string, Security>> = { None: 'none', PSK: 'psk', WEP: 'wep', Dot1X: 'dot1x' }
const signals: Readonly<Record<string, number>> = { None: 0, 'Very Bad': 1, Bad: 2, Good: 3, 'Very Good': 4 }

interface KnownNetwork {
  readonly ssid: string
  readonly alias: string
  readonly security: Security
}

interface WifiInterface {
  readonly token: string
  readonly enabled: boolean
  readonly known: readonly KnownNetwork[]
}

const noWifi: OnvifFault = { ...fault('badReply', 'the camera has no Wi-Fi that ONVIF can set'), isUnsupported: true }

/** The Wi-Fi of a camera by ONVIF Dot11 (Core §8.2), with what it was told last: cameras take a while, and don't say what they do. */
export class WifiDevice {
  readonly #device: OnvifCommander
  readonly #habits: Pick<CameraHabits, 'wifi'>
  readonly #now: () => number

  constructor(device: OnvifCommander, habits: Pick<CameraHabits, 'wifi'> = {}, now: () => number = Date.now) {
    this.#device = device
    this.#habits = habits
    this.#now = now
  }

  async state(signal: AbortSignal): Promise<OnvifResult<WifiState>> {
    const wifi = await this.#interface(signal)
    if (!wifi.ok) return wifi
    return ok(this.#judge(wifi.value, wifi.value.enabled ? await this.#current(wifi.value, signal) : null))
  }

  /** Those that the camera is set up for; with `scan` those that it receives too. */
  async networks(scan: boolean, signal: AbortSignal): Promise<OnvifResult<readonly ScannedNetwork[]>> {
    const wifi = await this.#interface(signal)
    if (!wifi.ok) return wifi
    const current = wifi.value.enabled ? await this.#current(wifi.value, signal) : null
    const found = scan ? await this.#scan(wifi.value, signal) : ok([])
    if (!found.ok) return found
    return ok(joinNetworks(wifi.value.known, found.value, current))
  }

  async change(change: WifiChange, signal: AbortSignal): Promise<OnvifResult<WifiChangeAnswer>> {
    const wifi = await this.#interface(signal)
    if (!wifi.ok) return wifi
    const current = wifi.value.enabled ? await this.#current(wifi.value, signal) : null
    if (change.kind === 'join') return await this.#join(wifi.value, change, { current, signal })
    if (change.kind === 'forget') {
      if (change.ssid === current) return ok({ kind: 'isCurrent' })
      if (!wifi.value.known.some(({ ssid }) => ssid === change.ssid)) return ok({ kind: 'notKnown' })
      const left = wifi.value.known.filter(({ ssid }) => ssid !== change.ssid)
      const sent = await this.#set(wifi.value, `<t:Extension>${left.map(knownXml).join('')}</t:Extension>`, signal)
      return this.#accepted(sent, { kind: 'forgetting', ssid: change.ssid }, { wifi: wifi.value, current })
    }
    const isOn = change.kind === 'enable'
    const sent = await this.#set(wifi.value, `<t:Enabled>${isOn}</t:Enabled>`, signal)
    const kind = isOn ? 'enabling' : 'disabling'
    return this.#accepted(sent, { kind, ssid: '' }, { wifi: wifi.value, current })
  }

  async #join(
    wifi: WifiInterface,
    { ssid, password }: Extract<WifiChange, { kind: 'join' }>,
    { current, signal }: { readonly current: string | null; readonly signal: AbortSignal },
  ): Promise<OnvifResult<WifiChangeAnswer>> {
    const found = await this.#scan(wifi, signal)
    if (!found.ok) return found
    const network = found.value.find((one) => one.ssid === ssid)
    if (network === undefined) return ok({ kind: 'notVisible' })
    const known = wifi.known.find((one) => one.ssid === ssid)
    const security = network.security === 'unknown' ? 'psk' : network.security
    if (security !== 'none' && security !== 'psk') return ok({ kind: 'securityUnsupported' })
    if (security === 'psk' && password === null && known === undefined) return ok({ kind: 'needsPassword' })
    const alias = known?.alias ?? ssid
    const others = wifi.known.filter((one) => one.ssid !== ssid).map(knownXml)
    const joined = networkXml({ ssid, alias, security }, { priority: TOP_PRIORITY, password })
    const extension = `<t:Extension>${joined}${others.join('')}</t:Extension>`
    const sent = await this.#set(wifi, `<t:Enabled>true</t:Enabled>${extension}`, signal)
    this.#note({ failedSsid: undefined })
    const kind = current === null ? 'connecting' : 'switching'
    return this.#accepted(sent, { kind, ssid }, { wifi, current })
  }

  /** A camera that leaves its network with the request doesn't answer it. */
  #accepted(
    sent: OnvifResult<unknown>,
    { kind, ssid }: Omit<PendingWifi, 'until'>,
    before: { readonly wifi: WifiInterface; readonly current: string | null },
  ): OnvifResult<WifiChangeAnswer> {
    if (!sent.ok && sent.failure.kind !== 'timeout' && sent.failure.kind !== 'closed') return sent
    const isJoining = kind === 'connecting' || kind === 'switching'
    const until = this.#now() + (isJoining ? PATIENCE_MS.joining : PATIENCE_MS.others)
    this.#note({ pending: { kind, ssid, until } })
    const enabled = kind === 'disabling' ? false : before.wifi.enabled || kind !== 'forgetting'
    const wifi = { enabled, state: kind, currentSsid: before.current, failedSsid: null }
    return ok({ kind: 'accepted', wifi })
  }

  #judge(wifi: WifiInterface, current: string | null): WifiState {
    const { pending } = this.#habits.wifi ?? {}
    if (pending !== undefined && isDone(pending, wifi, current)) this.#note({ pending: undefined })
    else if (pending !== undefined && this.#now() >= pending.until) {
      if (pending.kind === 'connecting' || pending.kind === 'switching') this.#note({ failedSsid: pending.ssid })
      this.#note({ pending: undefined })
    }
    const idle = current === null ? 'disconnected' : 'connected'
    const state = this.#habits.wifi?.pending?.kind ?? (wifi.enabled ? idle : 'disabled')
    return { enabled: wifi.enabled, state, currentSsid: current, failedSsid: this.#habits.wifi?.failedSsid ?? null }
  }

  #note(change: WifiOrders): void {
    this.#habits.wifi = { ...this.#habits.wifi, ...change }
  }

  async #interface(signal: AbortSignal): Promise<OnvifResult<WifiInterface>> {
    const reply = await this.#device.call('device', 'GetNetworkInterfaces', { shape: interfacesShape, signal })
    if (!reply.ok) return reply
    const found = reply.value.NetworkInterfaces.find(
      ({ Extension }) =>
        Extension !== undefined && (Extension.InterfaceType === WIFI_TYPE || Extension.Dot11.length > 0),
    )
    if (found?.['@token'] === undefined) return fail(noWifi)
    const known = (found.Extension?.Dot11 ?? []).flatMap(({ SSID, Alias, Security }) => {
      const ssid = readSsid(SSID)
      return ssid === ''
        ? []
        : [{ ssid, alias: Alias ?? ssid, security: securities[Security?.Mode ?? ''] ?? 'unknown' }]
    })
    return ok({ token: found['@token'], enabled: found.Enabled === 'true', known })
  }

  /** The network that it is in. A camera that is in none answers with a fault. */
  async #current({ token }: WifiInterface, signal: AbortSignal): Promise<string | null> {
    const content = `<o:InterfaceToken>${escapeXml(token)}</o:InterfaceToken>`
    const reply = await this.#device.call('device', 'GetDot11Status', { content, shape: statusShape, signal })
    const ssid = reply.ok ? readSsid(reply.value.Status.SSID) : ''
    return ssid === '' ? null : ssid
  }

  async #scan({ token }: WifiInterface, signal: AbortSignal): Promise<OnvifResult<readonly FoundNetwork[]>> {
    const content = `<o:InterfaceToken>${escapeXml(token)}</o:InterfaceToken>`
    const request = { content, shape: scanShape, timeoutMs: SCAN_MS, signal }
    const reply = await this.#device.call('device', 'ScanAvailableDot11Networks', request)
    if (!reply.ok) return reply
    return ok(
      reply.value.Networks.flatMap(({ SSID, AuthAndMangementSuite: suite, SignalStrength }) => {
        const ssid = readSsid(SSID)
        const security = securities[suite ?? ''] ?? 'unknown'
        return ssid === '' ? [] : [{ ssid, security, signal: signals[SignalStrength ?? ''] ?? null }]
      }),
    )
  }

  async #set({ token }: WifiInterface, settings: string, signal: AbortSignal): Promise<OnvifResult<unknown>> {
    const content =
      `<o:InterfaceToken>${escapeXml(token)}</o:InterfaceToken>` +
      `<o:NetworkInterface xmlns:t="${SCHEMA}">${settings}</o:NetworkInterface>`
    return await this.#device.call('device', 'SetNetworkInterfaces', { content, shape: empty, signal })
  }
}

type FoundNetwork = Pick<ScannedNetwork, 'ssid' | 'security' | 'signal'>

function isDone({ kind, ssid }: PendingWifi, { enabled, known }: WifiInterface, current: string | null): boolean {
  if (kind === 'enabling') return enabled
  if (kind === 'disabling') return !enabled
  return kind === 'forgetting' ? !known.some((one) => one.ssid === ssid) : current === ssid
}

/** Each name once, with its best signal: a name can be that of several access points. */
function joinNetworks(
  known: readonly KnownNetwork[],
  found: readonly FoundNetwork[],
  current: string | null,
): readonly ScannedNetwork[] {
  const best = new Map<string, FoundNetwork>()
  for (const one of found) if ((best.get(one.ssid)?.signal ?? -1) < (one.signal ?? 0)) best.set(one.ssid, one)
  const names = new Set([...best.keys(), ...known.map(({ ssid }) => ssid), ...(current === null ? [] : [current])])
  return [...names].toSorted().map((ssid) => {
    const seen = best.get(ssid)
    const own = known.find((one) => one.ssid === ssid)
    const isCurrent = ssid === current
    return {
      ssid,
      security: seen?.security ?? own?.security ?? 'unknown',
      signal: seen?.signal ?? null,
      known: own !== undefined || isCurrent,
      visible: seen !== undefined || isCurrent,
      current: isCurrent,
    }
  })
}

/** The standard wants hexadecimal digits; some cameras send the name itself. */
function readSsid(sent: string | undefined): string {
  const given = (sent ?? '').trim()
  const isHex = /^([0-9a-f]{2}){1,32}$/i.test(given)
  const name = isHex ? Buffer.from(given, 'hex').toString('utf8') : given
  return name.replaceAll(/\p{C}/gu, '').slice(0, 32)
}

const toHex = (ssid: string): string => Buffer.from(ssid, 'utf8').toString('hex').toUpperCase()

/** One that stays as it is: the camera keeps the password that it has. */
const knownXml = (network: KnownNetwork): string => networkXml(network, { priority: 0, password: null })

function networkXml(
  { ssid, alias, security }: KnownNetwork,
  { priority, password }: { readonly priority: number; readonly password: string | null },
): string {
  const mode = { none: 'None', psk: 'PSK', wep: 'WEP', dot1x: 'Dot1X', unknown: 'PSK' }[security]
  const key = password === null ? '' : `<t:PSK><t:Passphrase>${escapeXml(password)}</t:Passphrase></t:PSK>`
  return (
    `<t:Dot11><t:SSID>${toHex(ssid)}</t:SSID><t:Mode>Infrastructure</t:Mode><t:Alias>${escapeXml(alias)}</t:Alias>` +
    `<t:Priority>${priority}</t:Priority><t:Security><t:Mode>${mode}</t:Mode>${mode === 'PSK' ? key : ''}</t:Security></t:Dot11>`
  )
}
