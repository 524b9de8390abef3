import { cardServices } from './card.ts'
import { listScopes, type OnvifDevice, paths } from './device.ts'
import { LAMP_COMMANDS } from './device-settings.ts'
import { child, escapeXml, getText, type SoapFault, type XmlNode } from './soap.ts'

const dateTime = (now: Date): string =>
  `<tt:Time><tt:Hour>${now.getUTCHours()}</tt:Hour><tt:Minute>${now.getUTCMinutes()}</tt:Minute><tt:Second>${now.getUTCSeconds()}</tt:Second></tt:Time>` +
  `<tt:Date><tt:Year>${now.getUTCFullYear()}</tt:Year><tt:Month>${now.getUTCMonth() + 1}</tt:Month><tt:Day>${now.getUTCDate()}</tt:Day></tt:Date>`

/** ONVIF Core §8.3.5. The one call that needs no credentials: clients learn the clock from it before they can sign. */
export function getSystemDateAndTime(device: OnvifDevice): string {
  return (
    '<tds:GetSystemDateAndTimeResponse><tds:SystemDateAndTime><tt:DateTimeType>' +
    `${device.isTimeByNtp ? 'NTP' : 'Manual'}</tt:DateTimeType>` +
    '<tt:DaylightSavings>false</tt:DaylightSavings><tt:TimeZone><tt:TZ>CET-1CEST,M3.5.0,M10.5.0/3</tt:TZ></tt:TimeZone>' +
    `<tt:UTCDateTime>${dateTime(new Date(device.now))}</tt:UTCDateTime>` +
    '</tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>'
  )
}

/** The time in a SetSystemDateAndTime request (ONVIF Core §8.3.6), in milliseconds since 1970. */
export function requestedTime(body: XmlNode): number {
  const utc = child(body, 'UTCDateTime')
  const [time, date] = [child(utc, 'Time'), child(utc, 'Date')]
  const value = (node: XmlNode | undefined, name: string) => Number(getText(child(node, name)) ?? Number.NaN)
  const day = [value(date, 'Year'), value(date, 'Month') - 1, value(date, 'Day')] as const
  return Date.UTC(...day, value(time, 'Hour'), value(time, 'Minute'), value(time, 'Second'))
}

export function getDeviceInformation(device: OnvifDevice): string {
  return (
    `<tds:GetDeviceInformationResponse><tds:Manufacturer>${escapeXml(device.manufacturer)}</tds:Manufacturer>` +
    `<tds:Model>${escapeXml(device.model)}</tds:Model><tds:FirmwareVersion>${escapeXml(device.firmwareVersion)}</tds:FirmwareVersion>` +
    `<tds:SerialNumber>${escapeXml(device.serialNumber)}</tds:SerialNumber><tds:HardwareId>${escapeXml(device.model)}</tds:HardwareId>` +
    '</tds:GetDeviceInformationResponse>'
  )
}

const deviceCapabilities = (base: string): string =>
  `<tt:Device><tt:XAddr>${base}${paths.device}</tt:XAddr><tt:System><tt:DiscoveryResolve>false</tt:DiscoveryResolve>` +
  '<tt:DiscoveryBye>true</tt:DiscoveryBye><tt:RemoteDiscovery>false</tt:RemoteDiscovery><tt:SystemBackup>false</tt:SystemBackup>' +
  '<tt:SystemLogging>false</tt:SystemLogging><tt:FirmwareUpgrade>false</tt:FirmwareUpgrade>' +
  '<tt:SupportedVersions><tt:Major>2</tt:Major><tt:Minor>60</tt:Minor></tt:SupportedVersions></tt:System></tt:Device>'

const mediaCapabilities = (base: string): string =>
  `<tt:Media><tt:XAddr>${base}${paths.media}</tt:XAddr><tt:StreamingCapabilities><tt:RTPMulticast>false</tt:RTPMulticast>` +
  '<tt:RTP_TCP>true</tt:RTP_TCP><tt:RTP_RTSP_TCP>true</tt:RTP_RTSP_TCP></tt:StreamingCapabilities></tt:Media>'

const eventCapabilities = (base: string): string =>
  `<tt:Events><tt:XAddr>${base}${paths.events}</tt:XAddr><tt:WSSubscriptionPolicySupport>false</tt:WSSubscriptionPolicySupport>` +
  '<tt:WSPullPointSupport>true</tt:WSPullPointSupport></tt:Events>'

/** `Category` All, Device or Media; others get an empty reply, because the camera has nothing in them. */
export function getCapabilities(device: OnvifDevice, body: XmlNode): string {
  const category = getText(child(body, 'Category')) ?? 'All'
  const parts = [
    category === 'All' || category === 'Device' ? deviceCapabilities(device.base) : '',
    category === 'All' || category === 'Media' ? mediaCapabilities(device.base) : '',
    category === 'All' || category === 'Events' ? eventCapabilities(device.base) : '',
    device.hasPtz && (category === 'All' || category === 'PTZ')
      ? `<tt:PTZ><tt:XAddr>${device.base}${paths.ptz}</tt:XAddr></tt:PTZ>`
      : '',
  ]
  return `<tds:GetCapabilitiesResponse><tds:Capabilities>${parts.join('')}</tds:Capabilities></tds:GetCapabilitiesResponse>`
}

const service = (namespace: string, address: string): string =>
  `<tds:Service><tds:Namespace>${namespace}</tds:Namespace><tds:XAddr>${address}</tds:XAddr>` +
  '<tds:Version><tt:Major>2</tt:Major><tt:Minor>60</tt:Minor></tds:Version></tds:Service>'

/** ONVIF Core §8.1.2.3: what the device service can do, with the auxiliary commands. */
export const getServiceCapabilities = (): string =>
  '<tds:GetServiceCapabilitiesResponse><tds:Capabilities><tds:Network/><tds:Security/>' +
  '<tds:System DiscoveryResolve="false" HttpFirmwareUpgrade="false"/>' +
  `<tds:Misc AuxiliaryCommands="${LAMP_COMMANDS.join(' ')}"/></tds:Capabilities></tds:GetServiceCapabilitiesResponse>`

/** ONVIF Core §8.6.1. */
export function sendAuxiliaryCommand({ settings }: OnvifDevice, body: XmlNode): string | SoapFault {
  const command = getText(child(body, 'AuxiliaryCommand')) ?? ''
  if (!LAMP_COMMANDS.some((known) => known === command))
    return { code: 'Sender', subcodes: ['ter:InvalidArgVal'], reason: 'Unknown auxiliary command' }
  settings.lamp = command
  return '<tds:SendAuxiliaryCommandResponse/>'
}

export function getServices(device: OnvifDevice): string {
  return (
    `<tds:GetServicesResponse>${service('http://www.onvif.org/ver10/device/wsdl', device.base + paths.device)}` +
    `${service('http://www.onvif.org/ver10/media/wsdl', device.base + paths.media)}` +
    `${service('http://www.onvif.org/ver20/media/wsdl', device.base + paths.media2)}` +
    `${service('http://www.onvif.org/ver20/imaging/wsdl', device.base + paths.imaging)}` +
    `${service('http://www.onvif.org/ver10/events/wsdl', device.base + paths.events)}` +
    `${device.hasPtz ? service('http://www.onvif.org/ver20/ptz/wsdl', device.base + paths.ptz) : ''}` +
    `${device.hasIo ? service('http://www.onvif.org/ver10/deviceIO/wsdl', device.base + paths.io) : ''}` +
    `${device.replayUri === undefined ? '' : cardServices(device.base, service)}</tds:GetServicesResponse>`
  )
}

export function getNetworkInterfaces(device: OnvifDevice): string {
  const { host, prefixLength, isDhcp } = device
  const kind = isDhcp ? 'FromDHCP' : 'Manual'
  return (
    '<tds:GetNetworkInterfacesResponse><tds:NetworkInterfaces token="eth0"><tt:Enabled>true</tt:Enabled>' +
    `<tt:Info><tt:Name>eth0</tt:Name><tt:HwAddress>${device.mac}</tt:HwAddress><tt:MTU>1500</tt:MTU></tt:Info>` +
    '<tt:IPv4><tt:Enabled>true</tt:Enabled><tt:Config>' +
    `<tt:${kind}><tt:Address>${escapeXml(host)}</tt:Address><tt:PrefixLength>${prefixLength}</tt:PrefixLength></tt:${kind}><tt:DHCP>${isDhcp}</tt:DHCP>` +
    `</tt:Config></tt:IPv4></tds:NetworkInterfaces>${device.wifiInterface}</tds:GetNetworkInterfacesResponse>`
  )
}

export function getScopes(device: OnvifDevice): string {
  const scopes = listScopes(device).map(
    (scope) =>
      `<tds:Scopes><tt:ScopeDef>Fixed</tt:ScopeDef><tt:ScopeItem>${escapeXml(scope)}</tt:ScopeItem></tds:Scopes>`,
  )
  return `<tds:GetScopesResponse>${scopes.join('')}</tds:GetScopesResponse>`
}
