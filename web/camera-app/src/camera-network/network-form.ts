import {
  type CameraNetwork,
  type CameraNetworkPatch,
  ipv4Fault,
  isUsableIpv4,
  MAX_SERVERS,
  timeServer,
} from '@sightline/contract/camera-network'
import type { Text } from './text.ts'

/** What isn't set by this camera is empty. Switches are `true` or `false`. */
export interface NetworkValues {
  readonly [field: string]: string
  readonly ipv4Dhcp: string
  readonly address: string
  readonly prefixLength: string
  readonly gateway: string
  readonly dnsDhcp: string
  /** Separated by commas. */
  readonly dnsServers: string
  readonly ntp: string
  readonly ntpServers: string
  readonly http: string
  readonly https: string
  readonly rtsp: string
  readonly password: string
}

export const networkFields = ['address', 'prefixLength', 'gateway', 'dnsServers', 'ntpServers', 'password'] as const

export function networkValues({ ipv4, dns, ports, ntp }: CameraNetwork): NetworkValues {
  const byServers = ntp?.dhcp === true ? 'dhcp' : 'given'
  return {
    ipv4Dhcp: String(ipv4?.dhcp ?? true),
    address: ipv4?.address ?? '',
    prefixLength: String(ipv4?.prefixLength ?? ''),
    gateway: ipv4?.gateway ?? '',
    dnsDhcp: String(dns?.dhcp ?? true),
    dnsServers: dns?.servers.join(', ') ?? '',
    ntp: ntp?.enabled === true ? byServers : 'off',
    ntpServers: ntp?.servers.join(', ') ?? '',
    http: String(ports?.http ?? ''),
    https: String(ports?.https ?? ''),
    rtsp: String(ports?.rtsp ?? ''),
    password: '',
  }
}

const toList = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const MAX_PORT = 65_535

const portProblem = (text: string): Text | undefined =>
  text === '' || (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PORT)
    ? undefined
    : 'Enter a port from 1 to 65535.'

const serverProblem = (text: string, isServer: (server: string) => boolean): Text | undefined => {
  const servers = toList(text)
  return servers.length >= 1 && servers.length <= MAX_SERVERS && servers.every(isServer)
    ? undefined
    : 'Enter 1 to 3 servers, separated by commas.'
}

const isPrefix = (text: string): boolean => /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 30

function addressProblem({ address, prefixLength, gateway }: NetworkValues): Text | undefined {
  if (!isUsableIpv4(address)) return 'Enter an IPv4 address, such as 192.168.1.64.'
  if (!isPrefix(prefixLength)) return undefined
  const given = { address, prefixLength: Number(prefixLength), gateway: isUsableIpv4(gateway) ? gateway : null }
  return ipv4Fault(given) === undefined ? undefined : 'The address and the gateway don’t fit the prefix length.'
}

export const networkRules = {
  address: (_: string, values: NetworkValues) => (values.ipv4Dhcp === 'true' ? undefined : addressProblem(values)),
  prefixLength: (text: string, { ipv4Dhcp }: NetworkValues): Text | undefined =>
    ipv4Dhcp === 'true' || isPrefix(text) ? undefined : 'Enter a number from 1 to 30. Most networks have 24.',
  gateway: (text: string, { ipv4Dhcp }: NetworkValues): Text | undefined =>
    ipv4Dhcp === 'true' || text === '' || isUsableIpv4(text)
      ? undefined
      : 'Enter an IPv4 address, such as 192.168.1.64.',
  dnsServers: (text: string, { dnsDhcp }: NetworkValues) =>
    dnsDhcp === 'true' ? undefined : serverProblem(text, isUsableIpv4),
  ntpServers: (text: string, { ntp }: NetworkValues) =>
    ntp === 'given' ? serverProblem(text, (server) => timeServer.safeParse(server).success) : undefined,
  http: portProblem,
  https: portProblem,
  rtsp: portProblem,
}

const differs = (saved: CameraNetwork, values: NetworkValues, names: readonly (keyof NetworkValues)[]): boolean => {
  const before = networkValues(saved)
  return names.some((name) => values[name] !== before[name])
}

/** Whether the camera may leave its address, or restart. */
export const isAddressChanged = (saved: CameraNetwork, values: NetworkValues): boolean =>
  differs(saved, values, ['ipv4Dhcp', 'address', 'prefixLength', 'gateway'])

/** Whether the camera may leave its ports, or restart. */
export const arePortsChanged = (saved: CameraNetwork, values: NetworkValues): boolean =>
  differs(saved, values, ['http', 'https', 'rtsp'])

/** Whether the server has to reach the camera at another address, which takes its password. */
export const isOtherAddress = (saved: CameraNetwork, { ipv4Dhcp, address }: NetworkValues): boolean =>
  ipv4Dhcp === 'false' && address !== saved.ipv4?.address

/** Only what was changed. */
export function networkPatch(saved: CameraNetwork, values: NetworkValues): CameraNetworkPatch {
  const before = networkValues(saved)
  const ports = Object.fromEntries(
    (['http', 'https', 'rtsp'] as const)
      .filter((name) => values[name] !== '' && values[name] !== before[name])
      .map((name) => [name, Number(values[name])]),
  )
  const { address, prefixLength, gateway } = values
  const fixed = { dhcp: false, address, prefixLength: Number(prefixLength), gateway: gateway || null } as const
  const ipv4 = values.ipv4Dhcp === 'true' ? ({ dhcp: true } as const) : fixed
  const dns =
    values.dnsDhcp === 'true'
      ? ({ dhcp: true } as const)
      : ({ dhcp: false, servers: toList(values.dnsServers) } as const)
  return {
    ...(isAddressChanged(saved, values) && { ipv4 }),
    ...(differs(saved, values, ['dnsDhcp', 'dnsServers']) && { dns }),
    ...(differs(saved, values, ['ntp', 'ntpServers']) && { ntp: toNtp(values) }),
    ...(Object.keys(ports).length > 0 && { ports }),
    ...(values.password !== '' && { password: values.password }),
  }
}

function toNtp({ ntp, ntpServers }: NetworkValues): NonNullable<CameraNetworkPatch['ntp']> {
  if (ntp === 'off') return { enabled: false }
  return ntp === 'dhcp' ? { enabled: true, dhcp: true } : { enabled: true, dhcp: false, servers: toList(ntpServers) }
}
