import { child, children, escapeXml, getText, type SoapFault, type XmlNode } from './soap.ts'

export interface SimulatedNetworkSettings {
  /** Whether a new address or port holds only after a restart. */
  readonly rebootNeeded: boolean
  /** Whether its ports can be set. */
  readonly hasPorts: boolean
}

/** Where the camera is. */
export interface SimulatedEndpoint {
  readonly host: string
  readonly http: number
  readonly rtsp: number
}

const refused: SoapFault = { code: 'Sender', subcodes: ['ter:InvalidArgVal'], reason: 'Invalid network settings' }

/** The network of a camera by cable (ONVIF Core §8.2). */
export class NetworkService {
  readonly #settings: () => SimulatedNetworkSettings
  readonly #move: (to: Partial<SimulatedEndpoint>, isRestart: boolean) => void
  dhcp = false
  prefixLength = 24
  gateway = '127.0.0.254'
  dns: { dhcp: boolean; servers: readonly string[] } = { dhcp: true, servers: [] }
  ntp: { dhcp: boolean; servers: readonly string[] } = { dhcp: true, servers: [] }
  /** Whether NTP sets its clock. */
  isTimeByNtp = false
  /** Every change is refused. */
  refuses = false

  constructor(
    settings: () => SimulatedNetworkSettings,
    move: (to: Partial<SimulatedEndpoint>, isRestart: boolean) => void,
  ) {
    this.#settings = settings
    this.#move = move
  }

  /** Undefined: the operation isn't known. */
  perform(operation: string, body: XmlNode, at: SimulatedEndpoint): string | SoapFault | undefined {
    if (this.refuses && /^Set(DNS|NTP|Network)/.test(operation)) return refused
    if (operation.startsWith('Get')) return this.#read(operation, at)
    if (operation === 'SetNetworkProtocols') return this.#settings().hasPorts ? this.#setProtocols(body) : undefined
    if (operation === 'SetSystemDateAndTime') return this.#setClockSource(body)
    if (operation === 'SetNetworkInterfaces') return this.#setInterface(child(body, 'NetworkInterface'))
    if (operation === 'SetNetworkDefaultGateway') this.gateway = getText(child(body, 'IPv4Address')) ?? ''
    else if (operation === 'SetDNS') this.dns = readHosts(body, 'DNSManual')
    else if (operation === 'SetNTP') this.ntp = readHosts(body, 'NTPManual')
    else return undefined
    return `<tds:${operation}Response/>`
  }

  #read(operation: string, at: SimulatedEndpoint): string | undefined {
    const reply = (content: string) => `<tds:${operation}Response>${content}</tds:${operation}Response>`
    if (operation === 'GetNetworkProtocols') return this.#settings().hasPorts ? reply(listProtocols(at)) : undefined
    if (operation === 'GetNetworkDefaultGateway')
      return reply(`<tds:NetworkGateway><tt:IPv4Address>${this.gateway}</tt:IPv4Address></tds:NetworkGateway>`)
    if (operation === 'GetDNS') return reply(`<tds:DNSInformation>${hostsXml('DNS', this.dns)}</tds:DNSInformation>`)
    if (operation === 'GetNTP') return reply(`<tds:NTPInformation>${hostsXml('NTP', this.ntp)}</tds:NTPInformation>`)
    return undefined
  }

  /** Undefined: the camera is given a time. */
  #setClockSource(body: XmlNode): string | undefined {
    this.isTimeByNtp = getText(child(body, 'DateTimeType')) === 'NTP'
    return this.isTimeByNtp ? '<tds:SetSystemDateAndTimeResponse/>' : undefined
  }

  #setInterface(settings: XmlNode | undefined): string | SoapFault {
    const ipv4 = child(settings, 'IPv4')
    const manual = child(ipv4, 'Manual')
    this.dhcp = getText(child(ipv4, 'DHCP')) === 'true'
    const host = getText(child(manual, 'Address'))
    if (!this.dhcp && host === undefined) return refused
    this.prefixLength = Number(getText(child(manual, 'PrefixLength')) ?? this.prefixLength)
    const { rebootNeeded } = this.#settings()
    if (host !== undefined) this.#move({ host }, rebootNeeded)
    return `<tds:SetNetworkInterfacesResponse><tds:RebootNeeded>${rebootNeeded}</tds:RebootNeeded></tds:SetNetworkInterfacesResponse>`
  }

  #setProtocols(body: XmlNode): string {
    const portOf = (name: string) => {
      const found = children(body, 'NetworkProtocols').find((one) => getText(child(one, 'Name')) === name)
      return found === undefined ? undefined : Number(getText(child(found, 'Port')))
    }
    const [http, rtsp] = [portOf('HTTP'), portOf('RTSP')]
    this.#move({ ...(http !== undefined && { http }), ...(rtsp !== undefined && { rtsp }) }, false)
    return '<tds:SetNetworkProtocolsResponse/>'
  }
}

const protocol = (name: string, port: number): string =>
  `<tds:NetworkProtocols><tt:Name>${name}</tt:Name><tt:Enabled>true</tt:Enabled><tt:Port>${port}</tt:Port></tds:NetworkProtocols>`

const listProtocols = ({ http, rtsp }: SimulatedEndpoint): string => protocol('HTTP', http) + protocol('RTSP', rtsp)

function hostsXml(kind: 'DNS' | 'NTP', { dhcp, servers }: NetworkService['dns']): string {
  const hosts = servers.map((server) => {
    const isAddress = /^[\d.]+$/.test(server)
    const content = `<tt:Type>${isAddress ? 'IPv4' : 'DNS'}</tt:Type>`
    const name = isAddress ? 'IPv4Address' : 'DNSname'
    return `<tt:${kind}Manual>${content}<tt:${name}>${escapeXml(server)}</tt:${name}></tt:${kind}Manual>`
  })
  return `<tt:FromDHCP>${dhcp}</tt:FromDHCP>${hosts.join('')}`
}

const readHosts = (body: XmlNode, name: string): NetworkService['dns'] => ({
  dhcp: getText(child(body, 'FromDHCP')) === 'true',
  servers: children(body, name).map(
    (host) => getText(child(host, 'IPv4Address')) ?? getText(child(host, 'DNSname')) ?? '',
  ),
})
