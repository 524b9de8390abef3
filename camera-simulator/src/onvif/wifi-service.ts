import { child, children, escapeXml, getText, type SoapFault, type XmlNode } from './soap.ts'

export interface SimulatedNetwork {
  readonly ssid: string
  /** Without one, the network is open. */
  readonly password?: string | undefined
}

const notConnected: SoapFault = {
  code: 'Sender',
  subcodes: ['ter:InvalidArgVal', 'ter:NotConnectedDot11'],
  reason: 'IEEE 802.11 network is not connected',
}

const toHex = (ssid: string): string => Buffer.from(ssid, 'utf8').toString('hex').toUpperCase()
const fromHex = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8')

/** The Wi-Fi of a camera that is reached by cable too (ONVIF Core §8.2). */
export class WifiService {
  readonly #inReach: Map<string, SimulatedNetwork>
  readonly #joinMs: number
  readonly #known = new Map<string, string | undefined>()
  #isEnabled = true
  #current: string | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(networks: readonly SimulatedNetwork[], joinMs: number) {
    this.#inReach = new Map(networks.map((network) => [network.ssid, network]))
    this.#joinMs = joinMs
  }

  get current(): string | undefined {
    return this.#current
  }

  get known(): readonly string[] {
    return [...this.#known.keys()]
  }

  /** An access point is switched off. */
  lose(ssid: string): void {
    this.#inReach.delete(ssid)
    if (this.#current === ssid) this.#current = undefined
  }

  /** The interface as GetNetworkInterfaces lists it. */
  get interfaceXml(): string {
    const networks = [...this.#known].map(
      ([ssid, password], at) =>
        `<tt:Dot11><tt:SSID>${toHex(ssid)}</tt:SSID><tt:Mode>Infrastructure</tt:Mode><tt:Alias>${escapeXml(ssid)}</tt:Alias>` +
        `<tt:Priority>${at}</tt:Priority><tt:Security><tt:Mode>${password === undefined ? 'None' : 'PSK'}</tt:Mode></tt:Security></tt:Dot11>`,
    )
    return (
      `<tds:NetworkInterfaces token="wlan0"><tt:Enabled>${this.#isEnabled}</tt:Enabled>` +
      '<tt:Info><tt:Name>wlan0</tt:Name><tt:HwAddress>02:00:00:00:ff:01</tt:HwAddress></tt:Info>' +
      `<tt:Extension><tt:InterfaceType>71</tt:InterfaceType>${networks.join('')}</tt:Extension></tds:NetworkInterfaces>`
    )
  }

  /** undefined: the operation isn't known. */
  perform(operation: string, body: XmlNode): string | SoapFault | undefined {
    if (operation === 'GetDot11Capabilities')
      return '<tds:GetDot11CapabilitiesResponse><tds:Capabilities><tt:TKIP>true</tt:TKIP></tds:Capabilities></tds:GetDot11CapabilitiesResponse>'
    if (operation === 'GetDot11Status') return this.#status()
    if (operation === 'ScanAvailableDot11Networks') return this.#scan()
    return operation === 'SetNetworkInterfaces' && getText(child(body, 'InterfaceToken')) === 'wlan0'
      ? this.#set(child(body, 'NetworkInterface'))
      : undefined
  }

  #status(): string | SoapFault {
    if (!this.#isEnabled || this.#current === undefined) return notConnected
    return (
      `<tds:GetDot11StatusResponse><tds:Status><tt:SSID>${toHex(this.#current)}</tt:SSID>` +
      '<tt:SignalStrength>Good</tt:SignalStrength></tds:Status></tds:GetDot11StatusResponse>'
    )
  }

  #scan(): string {
    const networks = [...this.#inReach.values()].map(
      ({ ssid, password }) =>
        `<tds:Networks><tt:SSID>${toHex(ssid)}</tt:SSID><tt:AuthAndMangementSuite>${password === undefined ? 'None' : 'PSK'}</tt:AuthAndMangementSuite>` +
        '<tt:SignalStrength>Good</tt:SignalStrength></tds:Networks>',
    )
    return `<tds:ScanAvailableDot11NetworksResponse>${networks.join('')}</tds:ScanAvailableDot11NetworksResponse>`
  }

  #set(settings: XmlNode | undefined): string {
    const enabled = getText(child(settings, 'Enabled'))
    if (enabled !== undefined) this.#isEnabled = enabled === 'true'
    if (!this.#isEnabled) this.#current = undefined
    const extension = child(settings, 'Extension')
    if (extension !== undefined) this.#configure(children(extension, 'Dot11'))
    return '<tds:SetNetworkInterfacesResponse><tds:RebootNeeded>false</tds:RebootNeeded></tds:SetNetworkInterfacesResponse>'
  }

  /** Networks that are named without a password keep the one that they have. */
  #configure(networks: readonly XmlNode[]): void {
    const before = new Map(this.#known)
    this.#known.clear()
    const listed = networks.map((network) => {
      const ssid = fromHex(getText(child(network, 'SSID')) ?? '')
      const given = getText(child(child(child(network, 'Security'), 'PSK'), 'Passphrase'))
      return { ssid, password: given ?? before.get(ssid), priority: Number(getText(child(network, 'Priority')) ?? 0) }
    })
    for (const { ssid, password } of listed) this.#known.set(ssid, password)
    const [wanted] = listed.toSorted((one, other) => other.priority - one.priority)
    if (wanted === undefined || wanted.priority === 0) return
    this.#current = undefined
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#join(wanted.ssid), this.#joinMs).unref()
  }

  #join(ssid: string): void {
    const network = this.#inReach.get(ssid)
    if (network === undefined || !this.#isEnabled) return
    if (network.password === undefined || network.password === this.#known.get(ssid)) this.#current = ssid
  }
}
