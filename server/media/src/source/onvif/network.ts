import type { CameraNetworkChange, NetworkChangeAnswer, NetworkState } from '@sightline/contract/media-plane'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import {
  type ClockTypeShape,
  clockTypeShape,
  dnsShape,
  gatewayShape,
  interfacesShape,
  isTrue,
  type NetworkInterface,
  ntpShape,
  protocolsShape,
  setInterfacesShape,
  toServers,
} from './network-shapes.ts'
import type { OnvifFault, OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { escapeXml } from './xml.ts'

const SCHEMA = 'http://www.onvif.org/ver10/schema'
const empty = z.unknown()
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/

/** The network settings of a camera by the device service of ONVIF (Core §8.2). What a camera refuses to say, it can't be set to. */
export async function readNetwork(device: OnvifCommander, signal: AbortSignal): Promise<OnvifResult<NetworkState>> {
  const interfaces = await device.call('device', 'GetNetworkInterfaces', { shape: interfacesShape, signal })
  if (!interfaces.ok && interfaces.failure.isRefusal !== true && interfaces.failure.isUnsupported !== true)
    return interfaces
  const [gateway, dns, protocols, ntp, clock] = await Promise.all([
    device.call('device', 'GetNetworkDefaultGateway', { shape: gatewayShape, signal }),
    device.call('device', 'GetDNS', { shape: dnsShape, signal }),
    device.call('device', 'GetNetworkProtocols', { shape: protocolsShape, signal }),
    device.call('device', 'GetNTP', { shape: ntpShape, signal }),
    device.call('device', 'GetSystemDateAndTime', { shape: clockTypeShape, signal }),
  ])
  const used = interfaces.ok ? usedInterface(interfaces.value.NetworkInterfaces, device.client.address.host) : undefined
  const gateways = gateway.ok ? gateway.value.NetworkGateway.IPv4Address.filter((address) => IPV4.test(address)) : []
  const parts = {
    ipv4: used === undefined ? null : toIpv4(used, gateways.find((address) => address !== '0.0.0.0') ?? null),
    dns: dns.ok ? toDns(dns.value.DNSInformation) : null,
    ports: protocols.ok ? toPorts(protocols.value.NetworkProtocols) : null,
    ntp: ntp.ok && clock.ok ? toNtp(ntp.value.NTPInformation, clock.value.SystemDateAndTime) : null,
  }
  const missing = Object.entries(parts).filter(([, part]) => part === null)
  return ok({ ...parts, unavailable: Object.fromEntries(missing.map(([name]) => [name, 'notOffered' as const])) })
}

/** The one that the camera is reached by, or the first with IPv4. */
function usedInterface(interfaces: readonly NetworkInterface[], host: string): NetworkInterface | undefined {
  const usable = interfaces.filter(({ '@token': token, IPv4 }) => token !== undefined && IPv4?.Config !== undefined)
  return usable.find((one) => currentAddress(one)?.Address === host) ?? usable.find(({ Enabled }) => isTrue(Enabled))
}

function currentAddress({ IPv4 }: NetworkInterface) {
  const { Config: config } = IPv4 ?? {}
  const given = isTrue(config?.DHCP) ? (config?.FromDHCP ?? config?.LinkLocal) : undefined
  return given ?? config?.Manual.find(({ Address }) => Address !== undefined && IPV4.test(Address))
}

function toIpv4(used: NetworkInterface, gateway: string | null): NetworkState['ipv4'] {
  const current = currentAddress(used)
  const address = current?.Address !== undefined && IPV4.test(current.Address) ? current.Address : null
  const prefixLength = current !== undefined && current.PrefixLength > 0 ? Math.min(32, current.PrefixLength) : null
  return { dhcp: isTrue(used.IPv4?.Config?.DHCP), address, prefixLength, gateway }
}

function toDns({ FromDHCP, DNSFromDHCP, DNSManual }: z.infer<typeof dnsShape>['DNSInformation']): NetworkState['dns'] {
  const dhcp = isTrue(FromDHCP)
  return { dhcp, servers: toServers(dhcp ? DNSFromDHCP : DNSManual) }
}

function toNtp(
  { FromDHCP, NTPFromDHCP, NTPManual }: z.infer<typeof ntpShape>['NTPInformation'],
  { DateTimeType }: ClockTypeShape,
): NetworkState['ntp'] {
  const dhcp = isTrue(FromDHCP)
  return { enabled: DateTimeType?.toUpperCase() === 'NTP', dhcp, servers: toServers(dhcp ? NTPFromDHCP : NTPManual) }
}

const MAX_PORT = 65_535

function toPorts(protocols: z.infer<typeof protocolsShape>['NetworkProtocols']): NetworkState['ports'] {
  const portOf = (name: string): number | null => {
    const found = protocols.find(({ Name, Enabled }) => Name?.toUpperCase() === name && isTrue(Enabled))
    const port = Number(found?.Port[0])
    return Number.isInteger(port) && port > 0 && port <= MAX_PORT ? port : null
  }
  const ports = { http: portOf('HTTP'), https: portOf('HTTPS'), rtsp: portOf('RTSP') }
  return Object.values(ports).every((port) => port === null) ? null : ports
}

/**
 * Sets what the change names, and the address last: a camera may leave with it. What was set before a camera refuses the rest stays,
 * and reading tells.
 */
export async function changeNetwork(
  device: OnvifCommander,
  change: CameraNetworkChange,
  signal: AbortSignal,
): Promise<OnvifResult<NetworkChangeAnswer>> {
  const setter = new NetworkSetter(device, signal)
  if (change.ntp !== undefined) await setter.setNtp(change.ntp)
  if (change.dns !== undefined) await setter.setDns(change.dns)
  if (change.ports !== undefined) await setter.setPorts(change.ports)
  if (change.ipv4 !== undefined) await setter.setIpv4(change.ipv4)
  if (setter.failure !== undefined) return fail(setter.failure)
  if (setter.isRestartNeeded) await device.call('device', 'SystemReboot', { shape: empty, signal })
  if (setter.isRestartNeeded || change.ipv4 !== undefined || change.ports !== undefined) return ok({ kind: 'leaving' })
  const read = await readNetwork(device, signal)
  return read.ok ? ok({ kind: 'changed', network: read.value }) : read
}

/** Sends the requests of one change, until one fails. */
class NetworkSetter {
  failure: OnvifFault | undefined
  isRestartNeeded = false
  readonly #device: OnvifCommander
  readonly #signal: AbortSignal

  constructor(device: OnvifCommander, signal: AbortSignal) {
    this.#device = device
    this.#signal = signal
  }

  async setNtp(ntp: NonNullable<CameraNetworkChange['ntp']>): Promise<void> {
    if (ntp.enabled) {
      const servers = ntp.dhcp
        ? ''
        : ntp.servers.map((server) => `<o:NTPManual${hostXml(server)}</o:NTPManual>`).join('')
      await this.#send('SetNTP', `<o:FromDHCP>${ntp.dhcp}</o:FromDHCP>${servers}`)
    }
    const signal = this.#signal
    const clock = await this.#device.call('device', 'GetSystemDateAndTime', { shape: clockTypeShape, signal })
    if (!clock.ok) this.failure ??= clock.failure
    else await this.#send('SetSystemDateAndTime', clockXml(clock.value.SystemDateAndTime, ntp.enabled))
  }

  async setDns(dns: NonNullable<CameraNetworkChange['dns']>): Promise<void> {
    const servers = dns.dhcp ? '' : dns.servers.map((server) => `<o:DNSManual${hostXml(server)}</o:DNSManual>`).join('')
    await this.#send('SetDNS', `<o:FromDHCP>${dns.dhcp}</o:FromDHCP>${servers}`)
  }

  async setPorts(ports: NonNullable<CameraNetworkChange['ports']>): Promise<void> {
    const protocols = Object.entries(ports).map(
      ([name, port]) =>
        `<o:NetworkProtocols xmlns:t="${SCHEMA}"><t:Name>${name.toUpperCase()}</t:Name><t:Enabled>true</t:Enabled>` +
        `<t:Port>${port}</t:Port></o:NetworkProtocols>`,
    )
    if (protocols.length > 0) await this.#send('SetNetworkProtocols', protocols.join(''), true)
  }

  async setIpv4(ipv4: NonNullable<CameraNetworkChange['ipv4']>): Promise<void> {
    const signal = this.#signal
    const listed = await this.#device.call('device', 'GetNetworkInterfaces', { shape: interfacesShape, signal })
    if (!listed.ok) this.failure ??= listed.failure
    if (!listed.ok || this.failure !== undefined) return
    const used = usedInterface(listed.value.NetworkInterfaces, this.#device.client.address.host)
    const gateway = ipv4.dhcp || ipv4.gateway === null ? '' : `<o:IPv4Address>${ipv4.gateway}</o:IPv4Address>`
    if (gateway !== '') await this.#send('SetNetworkDefaultGateway', gateway)
    if (this.failure !== undefined) return
    const manual = ipv4.dhcp
      ? ''
      : `<t:Manual><t:Address>${ipv4.address}</t:Address><t:PrefixLength>${ipv4.prefixLength}</t:PrefixLength></t:Manual>`
    const content =
      `<o:InterfaceToken>${escapeXml(used?.['@token'] ?? '')}</o:InterfaceToken>` +
      `<o:NetworkInterface xmlns:t="${SCHEMA}"><t:Enabled>true</t:Enabled>` +
      `<t:IPv4><t:Enabled>true</t:Enabled>${manual}<t:DHCP>${ipv4.dhcp}</t:DHCP></t:IPv4></o:NetworkInterface>`
    const reply = await this.#device.call('device', 'SetNetworkInterfaces', {
      content,
      shape: setInterfacesShape,
      signal,
    })
    if (reply.ok) this.isRestartNeeded = isTrue(reply.value.RebootNeeded)
    else if (!isGone(reply.failure)) this.failure = reply.failure
  }

  /** @param mayLeave the camera may close the connection instead of a reply. */
  async #send(operation: string, content: string, mayLeave = false): Promise<void> {
    if (this.failure !== undefined) return
    const reply = await this.#device.call('device', operation, { content, shape: empty, signal: this.#signal })
    if (!reply.ok && !(mayLeave && isGone(reply.failure))) this.failure = reply.failure
  }
}

/** A camera that leaves its address with the request doesn't answer it. */
const isGone = ({ kind }: OnvifFault): boolean => kind === 'timeout' || kind === 'closed'

/** The attributes and content of an element with one host, without its name. */
function hostXml(host: string): string {
  const [type, name] = IPV4.test(host) ? ['IPv4', 'IPv4Address'] : ['DNS', 'DNSname']
  return ` xmlns:t="${SCHEMA}"><t:Type>${type}</t:Type><t:${name}>${escapeXml(host)}</t:${name}>`
}

/** The zone stays. Without NTP the camera gets the time of now. */
function clockXml({ DaylightSavings, TimeZone }: ClockTypeShape, byNtp: boolean): string {
  const zone =
    TimeZone?.TZ === undefined
      ? ''
      : `<o:TimeZone xmlns:t="${SCHEMA}"><t:TZ>${escapeXml(TimeZone.TZ)}</t:TZ></o:TimeZone>`
  const common = `<o:DateTimeType>${byNtp ? 'NTP' : 'Manual'}</o:DateTimeType><o:DaylightSavings>${isTrue(DaylightSavings)}</o:DaylightSavings>${zone}`
  if (byNtp) return common
  const now = new Date()
  const tag = (name: string, value: number) => `<t:${name}>${value}</t:${name}>`
  const time = tag('Hour', now.getUTCHours()) + tag('Minute', now.getUTCMinutes()) + tag('Second', now.getUTCSeconds())
  const date = tag('Year', now.getUTCFullYear()) + tag('Month', now.getUTCMonth() + 1) + tag('Day', now.getUTCDate())
  return `${common}<o:UTCDateTime xmlns:t="${SCHEMA}"><t:Time>${time}</t:Time><t:Date>${date}</t:Date></o:UTCDateTime>`
}
