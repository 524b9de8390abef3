import type { OnvifQuirk } from '../fault.ts'
import { child, escapeXml, getText, type SoapFault, type XmlNode } from './soap.ts'

export interface PtzPosition {
  readonly pan: number
  readonly tilt: number
  readonly zoom: number
}

const NAMESPACE = 'xmlns:tptz="http://www.onvif.org/ver20/ptz/wsdl"'
const SPACES = 'http://www.onvif.org/ver10/tptz'
const still: PtzPosition = { pan: 0, tilt: 0, zoom: 0 }
const HOME: PtzPosition = { pan: 0, tilt: 0, zoom: 0 }
/** At full speed, of ranges from -1 to 1 and from 0 to 1. */
const PER_SECOND = { pan: 0.25, tilt: 0.25, zoom: 0.2 }
/** How much of its range a picture shows. */
const FIELD_OF_VIEW = 0.2
const MAX_PRESETS = 8
const TIMEOUT_MS = { min: 1000, max: 60_000 }

const invalid = (reason: string): SoapFault => ({ code: 'Sender', subcodes: ['ter:InvalidArgVal'], reason })
const noSuchPreset: SoapFault = {
  code: 'Sender',
  subcodes: ['ter:InvalidArgVal', 'ter:NoToken'],
  reason: 'The preset does not exist',
}
const tooMany: SoapFault = {
  code: 'Receiver',
  subcodes: ['ter:Action', 'ter:TooManyPresets'],
  reason: 'There is no room for another preset',
}

export interface PtzCamera {
  readonly has: (quirk: OnvifQuirk) => boolean
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number
}

interface Preset {
  name: string
  position: PtzPosition
}

/** ONVIF PTZ (service specification 20.12): a camera that turns, and says where it is. */
export class PtzService {
  readonly #camera: PtzCamera
  readonly #presets = new Map<string, Preset>()
  #position: PtzPosition = HOME
  #velocity: PtzPosition = still
  #since: number
  #endsAt = Number.POSITIVE_INFINITY
  #made = 0

  constructor(camera: PtzCamera) {
    this.#camera = camera
    this.#since = camera.now()
  }

  /** Where it looks now. */
  get position(): PtzPosition {
    this.#advance()
    return this.#position
  }

  /** Whether it was told to move and hasn't ended it. */
  get isMoving(): boolean {
    this.#advance()
    return this.#velocity !== still
  }

  get presets(): readonly { readonly token: string; readonly name: string }[] {
    return [...this.#presets].map(([token, { name }]) => ({ token, name }))
  }

  /** undefined: the operation isn't known. */
  perform(operation: string, body: XmlNode): string | SoapFault | undefined {
    this.#advance()
    const isAbsoluteOnly = this.#camera.has('ptz-absolute-only')
    switch (operation) {
      case 'GetNode':
      case 'GetNodes':
        return this.#node(operation)
      case 'GetConfigurationOptions':
        return this.#options()
      case 'ContinuousMove':
        return isAbsoluteOnly ? undefined : this.#continuous(body)
      case 'RelativeMove':
        return isAbsoluteOnly ? undefined : this.#relative(body)
      case 'AbsoluteMove':
        this.#to(read(child(body, 'Position'), this.#position))
        return '<tptz:AbsoluteMoveResponse/>'
      case 'Stop':
        return this.#stop()
      case 'GetStatus':
        return this.#status()
      case 'GotoHomePosition':
        this.#to(HOME)
        return '<tptz:GotoHomePositionResponse/>'
      default:
        return this.#camera.has('ptz-no-presets') ? undefined : this.#preset(operation, body)
    }
  }

  #preset(operation: string, body: XmlNode): string | SoapFault | undefined {
    const token = getText(child(body, 'PresetToken'))
    if (operation === 'GetPresets') {
      const listed = [...this.#presets].map(
        ([key, { name }]) => `<tptz:Preset token="${key}"><tt:Name>${escapeXml(name)}</tt:Name></tptz:Preset>`,
      )
      return `<tptz:GetPresetsResponse>${listed.join('')}</tptz:GetPresetsResponse>`
    }
    if (operation === 'SetPreset') return this.#setPreset(token, getText(child(body, 'PresetName')) ?? '')
    const preset = this.#presets.get(token ?? '')
    if (operation === 'GotoPreset') {
      if (preset === undefined) return noSuchPreset
      this.#to(preset.position)
      return '<tptz:GotoPresetResponse/>'
    }
    if (operation !== 'RemovePreset') return undefined
    return this.#presets.delete(token ?? '') ? '<tptz:RemovePresetResponse/>' : noSuchPreset
  }

  #setPreset(token: string | undefined, name: string): string | SoapFault {
    if (token !== undefined && !this.#presets.has(token)) return noSuchPreset
    if (token === undefined && this.#presets.size >= MAX_PRESETS) return tooMany
    const key = token ?? `preset-${++this.#made}`
    this.#presets.set(key, { name, position: this.#position })
    return `<tptz:SetPresetResponse><tptz:PresetToken>${key}</tptz:PresetToken></tptz:SetPresetResponse>`
  }

  #continuous(body: XmlNode): string | SoapFault {
    const velocity = read(child(body, 'Velocity'), still)
    const timeout = getText(child(body, 'Timeout'))
    const timeoutMs = timeout === undefined ? undefined : Number(/^PT([\d.]+)S$/.exec(timeout)?.[1]) * 1000
    if (timeoutMs !== undefined && !(timeoutMs >= TIMEOUT_MS.min && timeoutMs <= TIMEOUT_MS.max))
      return invalid('The timeout is out of range')
    const isStill = velocity.pan === 0 && velocity.tilt === 0 && velocity.zoom === 0
    this.#velocity = isStill ? still : velocity
    const isEnded = timeoutMs !== undefined && !this.#camera.has('ptz-ignores-timeout')
    this.#endsAt = isEnded ? this.#since + timeoutMs : Number.POSITIVE_INFINITY
    return '<tptz:ContinuousMoveResponse/>'
  }

  #relative(body: XmlNode): string | SoapFault {
    const translation = child(body, 'Translation')
    const by = read(translation, still)
    const isInView = /TranslationSpaceFov$/.test(attribute(child(translation, 'PanTilt'), 'space') ?? '')
    if (isInView && this.#camera.has('ptz-no-field-of-view')) return invalid('The space is not supported')
    const share = isInView ? FIELD_OF_VIEW / 2 : 1
    const { pan, tilt, zoom } = this.#position
    this.#to({ pan: pan + by.pan * share, tilt: tilt + by.tilt * share, zoom: zoom + by.zoom })
    return '<tptz:RelativeMoveResponse/>'
  }

  #stop(): string | SoapFault {
    if (this.#camera.has('ptz-no-stop'))
      return { code: 'Receiver', subcodes: ['ter:ActionNotSupported'], reason: 'Stop is not implemented' }
    this.#velocity = still
    return '<tptz:StopResponse/>'
  }

  #to(goal: PtzPosition): void {
    this.#velocity = still
    this.#position = bounded(goal)
  }

  #advance(): void {
    const now = this.#camera.now()
    const until = Math.min(now, this.#endsAt)
    const seconds = Math.max(0, until - this.#since) / 1000
    const { pan, tilt, zoom } = this.#velocity
    this.#position = bounded({
      pan: this.#position.pan + pan * PER_SECOND.pan * seconds,
      tilt: this.#position.tilt + tilt * PER_SECOND.tilt * seconds,
      zoom: this.#position.zoom + zoom * PER_SECOND.zoom * seconds,
    })
    if (now >= this.#endsAt) {
      this.#velocity = still
      this.#endsAt = Number.POSITIVE_INFINITY
    }
    this.#since = now
  }

  #status(): string {
    const { pan, tilt, zoom } = this.#position
    return (
      `<tptz:GetStatusResponse><tptz:PTZStatus><tt:Position><tt:PanTilt x="${pan}" y="${tilt}"/><tt:Zoom x="${zoom}"/></tt:Position>` +
      `<tt:MoveStatus><tt:PanTilt>${this.#velocity === still ? 'IDLE' : 'MOVING'}</tt:PanTilt></tt:MoveStatus>` +
      '</tptz:PTZStatus></tptz:GetStatusResponse>'
    )
  }

  #node(operation: string): string {
    const presets = this.#camera.has('ptz-no-presets') ? 0 : MAX_PRESETS
    return (
      `<tptz:${operation}Response><tptz:PTZNode token="node" FixedHomePosition="true"><tt:Name>node</tt:Name>` +
      `<tt:SupportedPTZSpaces>${this.#spaces()}</tt:SupportedPTZSpaces><tt:MaximumNumberOfPresets>${presets}</tt:MaximumNumberOfPresets>` +
      `<tt:HomeSupported>true</tt:HomeSupported></tptz:PTZNode></tptz:${operation}Response>`
    )
  }

  #options(): string {
    return (
      `<tptz:GetConfigurationOptionsResponse><tptz:PTZConfigurationOptions><tt:Spaces>${this.#spaces()}</tt:Spaces>` +
      `<tt:PTZTimeout><tt:Min>PT${TIMEOUT_MS.min / 1000}S</tt:Min><tt:Max>PT${TIMEOUT_MS.max / 60_000}M</tt:Max></tt:PTZTimeout>` +
      '</tptz:PTZConfigurationOptions></tptz:GetConfigurationOptionsResponse>'
    )
  }

  #spaces(): string {
    const absolute =
      plane('AbsolutePanTiltPositionSpace', 'PanTiltSpaces/PositionGenericSpace') +
      line('AbsoluteZoomPositionSpace', 'ZoomSpaces/PositionGenericSpace', 0)
    if (this.#camera.has('ptz-absolute-only')) return absolute
    const view = this.#camera.has('ptz-no-field-of-view')
      ? ''
      : plane('RelativePanTiltTranslationSpace', 'PanTiltSpaces/TranslationSpaceFov')
    return (
      `${absolute}${plane('RelativePanTiltTranslationSpace', 'PanTiltSpaces/TranslationGenericSpace')}${view}` +
      line('RelativeZoomTranslationSpace', 'ZoomSpaces/TranslationGenericSpace', -1) +
      plane('ContinuousPanTiltVelocitySpace', 'PanTiltSpaces/VelocityGenericSpace') +
      line('ContinuousZoomVelocitySpace', 'ZoomSpaces/VelocityGenericSpace', -1)
    )
  }
}

/** As replies of the service are written. */
export const ptzReply = (reply: string): string => reply.replace(/^<(tptz:\w+)/, `<$1 ${NAMESPACE}`)

const rangeOf = (name: string, min: number): string =>
  `<tt:${name}><tt:Min>${min}</tt:Min><tt:Max>1</tt:Max></tt:${name}>`
const plane = (name: string, space: string): string =>
  `<tt:${name}><tt:URI>${SPACES}/${space}</tt:URI>${rangeOf('XRange', -1)}${rangeOf('YRange', -1)}</tt:${name}>`
const line = (name: string, space: string, min: number): string =>
  `<tt:${name}><tt:URI>${SPACES}/${space}</tt:URI>${rangeOf('XRange', min)}</tt:${name}>`

const attribute = (node: XmlNode | undefined, name: string): string | undefined => getText(child(node, `@${name}`))

/** A vector of a request; what it leaves out stays as in `otherwise`. */
function read(vector: XmlNode | undefined, otherwise: PtzPosition): PtzPosition {
  const [turn, zoom] = [child(vector, 'PanTilt'), child(vector, 'Zoom')]
  const number = (node: XmlNode | undefined, name: string, other: number) => Number(attribute(node, name) ?? other)
  return {
    pan: number(turn, 'x', otherwise.pan),
    tilt: number(turn, 'y', otherwise.tilt),
    zoom: number(zoom, 'x', otherwise.zoom),
  }
}

const within = (value: number, min: number): number => Math.min(1, Math.max(min, value))
const bounded = ({ pan, tilt, zoom }: PtzPosition): PtzPosition => ({
  pan: within(pan, -1),
  tilt: within(tilt, -1),
  zoom: within(zoom, 0),
})
