import { SimulatedCamera } from './camera.ts'
import { ClipCache } from './clip/clip-cache.ts'
import { DiscoveryResponder } from './discovery/responder.ts'
import { listScopes, paths } from './onvif/device.ts'
import { type SimulatorInput, type SimulatorSettings, simulatorSettings } from './settings.ts'

/** Seconds from one camera to the next in a clip they share; not a whole number of GOPs, so that key pictures are spread. */
const PHASE_STEP_SECONDS = 3.72

/** Cameras that are running. */
export interface Simulator extends AsyncDisposable {
  /** In the order of the settings. */
  readonly cameras: readonly SimulatedCamera[]
  /** Ends all connections, closes all ports; nothing of the simulator keeps the process alive after that. */
  stop(): Promise<void>
}

function startEach(
  { cameras, host, epoch }: SimulatorSettings,
  loaded: ClipCache,
): Promise<PromiseSettledResult<SimulatedCamera>[]> {
  const start = async (settings: SimulatorSettings['cameras'][number], index: number) => {
    const clips = await loaded.of(settings.clips)
    const phaseSeconds = settings.phaseSeconds ?? index * PHASE_STEP_SECONDS
    return await SimulatedCamera.open({ settings, clips, host, epoch, phaseSeconds })
  }
  return Promise.allSettled(cameras.map(start))
}

const stopAll = async (cameras: readonly SimulatedCamera[]): Promise<void> => {
  await Promise.all(cameras.map((camera) => camera.stop()))
}

async function openDiscovery(settings: SimulatorSettings, cameras: readonly SimulatedCamera[]) {
  if (settings.discovery === undefined) return undefined
  const devices = cameras.map((camera) => {
    const device = camera.describe()
    return { mac: device.mac, scopes: listScopes(device), serviceAddresses: [device.base + paths.device] }
  })
  return await DiscoveryResponder.open(settings.discovery, devices)
}

/**
 * Starts all cameras or none. Throws if the settings are invalid, a clip can't be read or a port is in use; the message
 * names the camera, and the cause says why. `signal` stops them as `stop` does; `loaded` may contain clips already.
 */
export async function startCameras(
  input: SimulatorInput,
  { signal, loaded = new ClipCache() }: { readonly signal?: AbortSignal; readonly loaded?: ClipCache } = {},
): Promise<Simulator> {
  const settings = simulatorSettings.parse(input)
  const started = await startEach(settings, loaded)
  const cameras = started.filter((result) => result.status === 'fulfilled').map((result) => result.value)
  const failed = started.find((result) => result.status === 'rejected')
  let discovery: DiscoveryResponder | undefined
  try {
    if (failed !== undefined) throw failed.reason
    signal?.throwIfAborted()
    discovery = await openDiscovery(settings, cameras)
  } catch (cause) {
    await stopAll(cameras)
    throw cause
  }
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= Promise.all([discovery?.close(), stopAll(cameras)]).then(() => undefined)
    return stopping
  }
  signal?.addEventListener('abort', () => void stop(), { once: true })
  return { cameras, stop, [Symbol.asyncDispose]: stop }
}
