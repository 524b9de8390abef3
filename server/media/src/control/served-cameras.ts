import type { CameraLog } from './camera-log.ts'
import type { CameraNetworks } from './camera-networks.ts'
import type { ChannelKeeper } from './channel-keeper.ts'
import { deviceKeeper } from './device-keeper.ts'
import { jobKeeper } from './job-keeper.ts'
import type { MacLocator } from './mac-locator.ts'
import type { MediaWorkerDeps } from './media-worker.ts'
import type { Membership } from './membership.ts'
import { MovedCameras } from './moved-cameras.ts'
import { StatisticsKeeper } from './statistics-keeper.ts'

export type ServedCameras = Pick<ChannelKeeper, 'cameraIds' | 'command' | 'recall' | 'refresh' | 'refreshLater'> &
  AsyncDisposable

/** The cameras of a worker, and the recorders that it looks after. */
export function withDevices(
  channels: ChannelKeeper,
  deps: MediaWorkerDeps & {
    readonly networks: CameraNetworks
    readonly locator: MacLocator
    readonly cameraLog: CameraLog
  },
  membership: Pick<Membership, 'owns' | 'isFirst'>,
): ServedCameras {
  const devices = deviceKeeper({
    ...deps,
    connectOf: deps.networks.connectOf,
    owns: membership.owns,
    isFirst: () => membership.isFirst,
  })
  const isFirst = () => membership.isFirst
  const jobs = jobKeeper({ ...deps, channels, devices, isFirst })
  const statistics = new StatisticsKeeper({ ...deps, samples: channels.samples, isFirst })
  const { connectOf } = deps.networks
  const moved = new MovedCameras({ ...deps, channels, connectOf, onMoved: channels.refreshLater })
  return {
    cameraIds: () => [...channels.cameraIds(), ...devices.deviceIds()],
    command: async (question) => (await devices.command(question)) ?? (await channels.command(question)),
    recall: channels.recall,
    async refresh() {
      await Promise.all([channels.refresh(), devices.refresh()])
      await jobs.refresh()
    },
    refreshLater() {
      channels.refreshLater()
      devices.refreshLater()
      jobs.refreshLater()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([jobs, statistics, moved].map((each) => each[Symbol.asyncDispose]()))
      await devices[Symbol.asyncDispose]()
      await channels[Symbol.asyncDispose]()
    },
  }
}
