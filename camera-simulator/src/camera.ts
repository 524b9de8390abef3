import { setTimeout as sleep } from 'node:timers/promises'
import type { AudioClip } from './clip/audio-clip.ts'
import type { VideoClip } from './clip/video-clip.ts'
import { type EpochMs, steadyNow } from './clock.ts'
import { DigestGuard } from './digest/digest.ts'
import { ActiveFaults, type Fault, type OnvifQuirk } from './fault.ts'
import { createCaption } from './live/caption.ts'
import { LiveStream } from './live/live-stream.ts'
import { SimulatedCard } from './onvif/card.ts'
import type { OnvifDevice } from './onvif/device.ts'
import { DeviceSettings } from './onvif/device-settings.ts'
import { EventService } from './onvif/event-service.ts'
import { firmwareVersion } from './onvif/firmware.ts'
import { IoService } from './onvif/io-service.ts'
import { sourceOfInput } from './onvif/media-service.ts'
import { NetworkService, type SimulatedEndpoint } from './onvif/network-service.ts'
import { PtzService } from './onvif/ptz-service.ts'
import { type OnvifRequest, OnvifServer } from './onvif/server.ts'
import { type SimulatedUser, UserService } from './onvif/user-service.ts'
import { WifiService } from './onvif/wifi-service.ts'
import { Loudspeaker } from './rtsp/back-channel.ts'
import type { RtspAttempt } from './rtsp/connection.ts'
import { RtspServer } from './rtsp/server.ts'
import type { CameraSettings } from './settings.ts'

/** Until a camera that was asked to restart closes its ports. */
const REPLY_MS = 100

export type StreamName = 'main' | 'sub'

/** The clips of a camera, read; several cameras may share them. */
export interface ClipSet {
  readonly main: VideoClip
  readonly sub: VideoClip
  readonly audio: AudioClip | undefined
  readonly snapshot: Buffer | undefined
}

export interface CameraStart {
  readonly settings: CameraSettings
  readonly clips: ClipSet
  readonly host: string
  readonly epoch: EpochMs
  readonly phaseSeconds: number
}

/** A camera's public description, without its secrets. */
export interface CameraAddress {
  readonly name: string
  readonly mac: string
  readonly host: string
  readonly rtspPort: number
  readonly onvifPort: number
}

/** One camera in software: RTSP and ONVIF on its own ports. */
export class SimulatedCamera {
  readonly #start: CameraStart
  readonly #faults = new ActiveFaults()
  readonly #streams: Readonly<Record<StreamName, LiveStream>>
  readonly #rtsp: RtspServer
  readonly #onvif: OnvifServer
  readonly #events: EventService
  readonly #ptz: PtzService | undefined
  /** Its relay outputs and digital inputs. */
  readonly io: IoService
  /** Its Wi-Fi; undefined without one. */
  readonly wifi: WifiService | undefined
  /** Its network by cable. */
  readonly network = new NetworkService(
    () => this.#start.settings.network,
    (to, isRestart) => this.#moveTo(to, isRestart),
  )
  /** Its users. */
  readonly users: UserService
  readonly #card: SimulatedCard | undefined
  /** What was set by ONVIF. */
  readonly settings = new DeviceSettings()
  /** What it was sent by the back channel. */
  readonly loudspeaker: Loudspeaker
  #movedTo: string | undefined
  #rtspPort: number
  #onvifPort: number
  #next: Partial<SimulatedEndpoint> = {}
  readonly #restarting = new AbortController()
  #firmwareVersion: string

  private constructor(start: CameraStart) {
    const { settings, clips, epoch, phaseSeconds } = start
    this.#start = start
    this.#rtspPort = settings.rtspPort
    this.#onvifPort = settings.onvifPort
    this.#firmwareVersion = settings.firmwareVersion
    const caption = createCaption(settings.name, settings.timeZone)
    const common = {
      epoch,
      phaseSeconds,
      audio: clips.audio,
      caption: (at: EpochMs) => `${caption(at + this.#clockError())}${directionText(this.#ptz)}`,
    }
    const leastKeySeconds = () =>
      this.settings.encoders.has('main') ? undefined : this.#faults.get('rare-keyframes')?.everySeconds
    this.#streams = {
      main: new LiveStream(clips.main, { ...common, leastKeySeconds }),
      sub: new LiveStream(clips.sub, common),
    }
    this.#card = settings.card && new SimulatedCard(settings.card, steadyNow, () => this.#clockError())
    this.users = new UserService(settings, settings.users, () => this.#rtsp.resetConnections())
    const { users } = this
    this.loudspeaker = new Loudspeaker(settings.backChannel)
    this.#rtsp = new RtspServer(
      {
        loudspeaker: this.loudspeaker,
        name: settings.name,
        guard: guardFor(settings, () => users.streamAccount),
        faults: this.#faults,
        card: this.#card && { card: this.#card, stream: this.#streams.main },
        streams: new Map(Object.entries(this.#streams).map(([name, stream]) => [`/${name}`, stream])),
        sessionTimeoutSeconds: settings.sessionTimeoutSeconds,
      },
      { tls: settings.rtspTls, overHttp: settings.rtspOverHttp, media: settings.rtspMedia },
    )
    const has = (quirk: OnvifQuirk) => this.#has(quirk)
    const portStates = () => this.io.states()
    this.#events = new EventService({ now: () => this.#now(), has, portStates })
    this.io = new IoService(settings.io, (message) => this.#events.port(message))
    this.wifi = settings.wifi && new WifiService(settings.wifi.networks, settings.wifi.joinMs)
    this.#ptz = settings.ptz ? new PtzService({ now: steadyNow, has }) : undefined
    this.#onvif = new OnvifServer({
      guard: guardFor(settings, () => users.account),
      users,
      authentication: settings.onvifAuthentication,
      tls: settings.onvifTls,
      events: this.#events,
      ptz: this.#ptz,
      io: this.io,
      wifi: this.wifi,
      network: this.network,
      faults: this.#faults,
      snapshot: clips.snapshot,
      describe: (host) => this.#describe(host),
      setClock: (time) => this.#faults.add({ kind: 'clock-jump', byMs: Math.round(time - steadyNow()) }),
      restart: () => this.#restart(),
      disks: settings.disks,
      install: (image) => this.#install(image),
      card: this.#card,
      now: () => this.#now(),
    })
  }

  /** Opens both ports; if one is in use, it fails and opens neither. */
  static async open(start: CameraStart): Promise<SimulatedCamera> {
    const camera = new SimulatedCamera(start)
    try {
      await camera.#listen()
    } catch (cause) {
      await camera.stop()
      throw new Error(`camera ${start.settings.name} could not start`, { cause })
    }
    return camera
  }

  get address(): CameraAddress {
    const { name, mac } = this.#start.settings
    return { name, mac, host: this.#host, rtspPort: this.#rtspPort, onvifPort: this.#onvifPort }
  }

  /** Address of a stream, without credentials. */
  rtspAddress(stream: StreamName): string {
    return `${this.#rtspScheme}://${this.#host}:${this.#rtspPort}/${stream}`
  }

  /** What the frame counter of a stream shows at an instant. */
  counterAt(stream: StreamName, at: EpochMs): number {
    return this.#streams[stream].counterAt(at)
  }

  /** Runs a stream until the reply is called, and tells each picture's number as it is sent. */
  watchSent(stream: StreamName, sent: (counter: number) => void): () => void {
    return this.#streams[stream].watch((each) => {
      if (each.kind === 'picture') sent(each.counter)
    })
  }

  /** RTSP connections to it. */
  get openConnections(): number {
    return this.#rtsp.openConnections
  }

  /** Motion before the camera and what it reports of it. */
  get events(): EventService {
    return this.#events
  }

  /** Where it looks; undefined for a camera that doesn't turn. */
  get ptz(): PtzService | undefined {
    return this.#ptz
  }

  /** Requests to ONVIF, by operation, with whether they had credentials. */
  get onvifRequests(): readonly OnvifRequest[] {
    return this.#onvif.requests
  }

  /** The newest requests to its RTSP port, oldest first. */
  get rtspRequests(): readonly RtspAttempt[] {
    return this.#rtsp.requests
  }

  /** The source of ONVIF scopes and addresses, for discovery too. */
  describe(): OnvifDevice {
    return this.#describe(this.#host)
  }

  /** Adds a fault to the active ones. */
  async fault(fault: Fault): Promise<void> {
    if (fault.kind !== 'reset' && fault.kind !== 'reset-stream') this.#faults.add(fault)
    if (fault.kind === 'reset-stream') this.#rtsp.resetConnections(`/${fault.stream}`)
    if (fault.kind === 'reset' || fault.kind === 'wrong-password') this.#rtsp.resetConnections()
    if (fault.kind === 'refuse') await this.#close()
    if (fault.kind === 'change-resolution') this.#streams.main.change(this.#start.clips.sub)
  }

  /** Ends all faults. */
  async heal(): Promise<void> {
    const wasRefusing = this.#faults.has('refuse')
    const hadChanged = this.#faults.has('change-resolution')
    this.#faults.clear()
    if (hadChanged) this.#streams.main.change(this.#start.clips.main)
    if (wasRefusing) await this.#listen()
  }

  async stop(): Promise<void> {
    this.#restarting.abort()
    await this.#close()
  }

  async #close(): Promise<void> {
    await Promise.all([this.#rtsp.close(), this.#onvif.close()])
  }

  #install(image: Buffer): boolean {
    const version = firmwareVersion(image, this.#start.settings.model)
    if (version === undefined) return false
    if (!this.#has('firmware-not-kept')) this.#firmwareVersion = version
    this.#restart()
    return true
  }

  /** Closes all ports for a while, as a camera that restarts; the reply to the request is sent before. */
  #restart(): void {
    this.#goAway(this.#start.settings.restartMs)
  }

  /** Answers elsewhere: at once, or once it restarts. */
  #moveTo({ host, http, rtsp }: Partial<SimulatedEndpoint>, isRestart: boolean): void {
    this.#next = { ...this.#next, ...(host && { host }), ...(http && { http }), ...(rtsp && { rtsp }) }
    if (!isRestart) this.#goAway(0)
  }

  get #host(): string {
    return this.#movedTo ?? this.#start.host
  }

  #settle(): void {
    const { host = this.#host, http = this.#onvifPort, rtsp = this.#rtspPort } = this.#next
    this.#movedTo = host
    this.#onvifPort = http
    this.#rtspPort = rtsp
    this.#next = {}
  }

  #goAway(ms: number): void {
    const { signal } = this.#restarting
    const wait = (ms: number) => sleep(ms, undefined, { signal })
    const run = async () => {
      await wait(REPLY_MS)
      await this.#close()
      await wait(ms)
      while (this.#has('firmware-dies')) await wait(REPLY_MS)
      this.#settle()
      await this.#listen()
    }
    run().catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  async #listen(): Promise<void> {
    this.#rtspPort = await this.#rtsp.open(this.#host, this.#rtspPort)
    this.#onvifPort = await this.#onvif.open(this.#host, this.#onvifPort)
  }

  get #rtspScheme(): string {
    return this.#start.settings.rtspTls === undefined ? 'rtsp' : 'rtsps'
  }

  #clockError(): number {
    return this.#faults.get('clock-jump')?.byMs ?? 0
  }

  #has(quirk: OnvifQuirk): boolean {
    return this.#faults.get('onvif-quirks')?.quirks.includes(quirk) === true
  }

  #now(): EpochMs {
    return steadyNow() + this.#clockError()
  }

  #base(authority: string): string {
    const scheme = this.#start.settings.onvifTls === undefined ? 'http' : 'https'
    const isInner = this.#has('inner-addresses')
    return `${scheme}://${isInner ? '192.168.77.7' : authority}:${isInner ? 80 : this.#onvifPort}`
  }

  #describe(localAddress: string): OnvifDevice {
    const { settings, clips } = this.#start
    const host = localAddress.replace(/^::ffff:/, '')
    const authority = host.includes(':') ? `[${host}]` : host
    const { name, mac, manufacturer, model } = settings
    const place = `${this.#rtspScheme}://${authority}:${this.#rtspPort}`
    const emptyInputs = this.#faults.get('empty-inputs')?.inputs ?? settings.emptyInputs
    const profiles = Array.from({ length: settings.inputs }, (_, index) => index + 1).flatMap((input) =>
      (['main', 'sub'] as const).map((stream) => {
        const { clip, audio } = this.#streams[stream]
        const [token, query] = input === 1 ? [stream, ''] : [`${stream}${input}`, `?input=${input}`]
        const isEmpty = emptyInputs.includes(input)
        const streamUri = `${place}/${stream}${query}`
        const { ptz: hasPtz } = settings
        return { token, source: sourceOfInput(input), input, isEmpty, clip, audio, streamUri, hasPtz }
      }),
    )
    return {
      name,
      mac,
      manufacturer,
      model,
      firmwareVersion: this.#firmwareVersion,
      serialNumber: mac.replaceAll(':', '').toUpperCase(),
      base: this.#base(authority),
      host,
      profiles,
      hasSnapshot: clips.snapshot !== undefined,
      hasPtz: settings.ptz,
      hasIo: settings.io.relays + settings.io.inputs > 0,
      wifiInterface: this.wifi?.interfaceXml ?? '',
      endpoint: { host, http: this.#onvifPort, rtsp: this.#rtspPort },
      prefixLength: this.network.prefixLength,
      isDhcp: this.network.dhcp,
      isTimeByNtp: this.network.isTimeByNtp || this.#has('time-by-ntp'),
      settings: this.settings,
      keepsSettings: !this.#has('settings-not-kept'),
      hasSpeaker: settings.backChannel !== 'none',
      replayUri: settings.card && `${place}/card`,
      now: this.#now(),
    }
  }
}

/** Asks for the password that the user has now. */
function guardFor(
  { model, username, digestAlgorithms, digestQop }: CameraSettings,
  account: () => SimulatedUser,
): DigestGuard {
  return new DigestGuard({
    realm: model,
    username,
    algorithms: digestAlgorithms,
    qop: digestQop,
    get password() {
      return account().password
    },
  })
}

/** The picture of a camera that turns stays the same, so the strip says where it looks. */
function directionText(ptz: PtzService | undefined): string {
  if (ptz === undefined) return ''
  const { pan, tilt, zoom } = ptz.position
  const degrees = (share: number) => Math.round(share * 90)
  return `  PAN ${degrees(pan)} TILT ${degrees(tilt)} ZOOM ${(1 + zoom * 9).toFixed(1)}`
}
