import type { OnvifDevice } from './device.ts'
import { child, getText, type SoapFault, type XmlNode } from './soap.ts'

const NAMESPACE = 'xmlns:timg="http://www.onvif.org/ver20/imaging/wsdl"'

const noSource: SoapFault = {
  code: 'Sender',
  subcodes: ['ter:InvalidArgVal', 'ter:NoSource'],
  reason: 'The requested video source does not exist',
}

const hasSource = (device: OnvifDevice, body: XmlNode): boolean => {
  const token = getText(child(body, 'VideoSourceToken'))
  return device.profiles.some(({ source }) => source === token)
}

/** ONVIF Imaging §5.1. */
export function getImagingSettings(device: OnvifDevice, body: XmlNode): string | SoapFault {
  if (!hasSource(device, body)) return noSource
  const { backlight, wideDynamicRange, irCut } = device.settings.imaging
  const focus = device.hasPtz
    ? `<tt:Focus><tt:AutoFocusMode>${device.settings.lens.mode}</tt:AutoFocusMode></tt:Focus>`
    : ''
  return (
    `<timg:GetImagingSettingsResponse ${NAMESPACE}><timg:ImagingSettings>` +
    `<tt:BacklightCompensation><tt:Mode>${backlight}</tt:Mode></tt:BacklightCompensation>` +
    `<tt:Brightness>50</tt:Brightness><tt:Contrast>50</tt:Contrast>${focus}<tt:IrCutFilter>${irCut}</tt:IrCutFilter>` +
    `<tt:WideDynamicRange><tt:Mode>${wideDynamicRange}</tt:Mode></tt:WideDynamicRange>` +
    '</timg:ImagingSettings></timg:GetImagingSettingsResponse>'
  )
}

const modes = (name: string): string => `<tt:${name}><tt:Mode>OFF</tt:Mode><tt:Mode>ON</tt:Mode></tt:${name}>`

export function getImagingOptions(device: OnvifDevice, body: XmlNode): string | SoapFault {
  if (!hasSource(device, body)) return noSource
  return (
    `<timg:GetOptionsResponse ${NAMESPACE}><timg:ImagingOptions>${modes('BacklightCompensation')}` +
    (device.hasPtz
      ? '<tt:Focus><tt:AutoFocusModes>AUTO</tt:AutoFocusModes><tt:AutoFocusModes>MANUAL</tt:AutoFocusModes></tt:Focus>'
      : '') +
    '<tt:IrCutFilterModes>ON</tt:IrCutFilterModes><tt:IrCutFilterModes>OFF</tt:IrCutFilterModes>' +
    `<tt:IrCutFilterModes>AUTO</tt:IrCutFilterModes>${modes('WideDynamicRange')}` +
    '</timg:ImagingOptions></timg:GetOptionsResponse>'
  )
}

/** Only what the request names is changed. */
export function setImagingSettings(device: OnvifDevice, body: XmlNode): string | SoapFault {
  if (!hasSource(device, body)) return noSource
  const asked = child(body, 'ImagingSettings')
  const { imaging } = device.settings
  const modeOf = (name: string) => (getText(child(child(asked, name), 'Mode')) === 'ON' ? 'ON' : 'OFF')
  if (device.keepsSettings) {
    if (child(asked, 'BacklightCompensation') !== undefined) imaging.backlight = modeOf('BacklightCompensation')
    if (child(asked, 'WideDynamicRange') !== undefined) imaging.wideDynamicRange = modeOf('WideDynamicRange')
    const irCut = getText(child(asked, 'IrCutFilter'))
    const mode = getText(child(child(asked, 'Focus'), 'AutoFocusMode'))
    if (device.hasPtz && (mode === 'AUTO' || mode === 'MANUAL')) device.settings.lens.mode = mode
    if (irCut === 'ON' || irCut === 'OFF' || irCut === 'AUTO') imaging.irCut = irCut
  }
  return `<timg:SetImagingSettingsResponse ${NAMESPACE}/>`
}
