import type { DeviceJob } from '@sightline/contract/device-jobs'
import {
  compareVersions,
  type Firmware,
  type FirmwareState,
  newerVersion,
  type OfferedFirmware,
} from '@sightline/contract/firmware'

/** An image for the model of a camera or a recorder. */
export interface OfferedImage extends OfferedFirmware {
  readonly imageId: number
}

const newestFirst = (images: readonly OfferedImage[]): readonly OfferedImage[] =>
  images.toSorted((one, other) => compareVersions(other.version, one.version))

/** The image that was asked for: the named version, or the newest one. */
export const chooseImage = (
  { current, version }: { readonly current: string | null; readonly version: string | undefined },
  images: readonly OfferedImage[],
): OfferedImage | undefined =>
  images.find((image) => image.version === (version?.trim() ?? newerVersion(current, versionsOf(images))))

const versionsOf = (images: readonly OfferedImage[]): readonly string[] => images.map(({ version }) => version)

/** The upgrade that waits or runs, otherwise the one that ended last. One that was canceled changed nothing. */
export const lastUpgrade = (jobs: readonly DeviceJob[]): DeviceJob | undefined =>
  jobs
    .filter(({ type, state }) => type === 'firmwareUpgrade' && state !== 'canceled')
    .toSorted((one, other) => (other.endedAt ?? '9').localeCompare(one.endedAt ?? '9'))[0]

/** The phases of other jobs are none of an upgrade. */
const toUpgradePhase = (phase: DeviceJob['phase']): FirmwareState =>
  phase === null || phase === 'Formatting' || phase === 'Measuring' || phase === 'WaitingForMotion'
    ? 'Requesting'
    : phase

/** What an upgrade does, or what there is without one. A failure is shown until another upgrade succeeds. */
function firmwareStatus(job: DeviceJob | undefined, hasNewer: boolean): FirmwareState {
  if (job?.state === 'queued') return 'Requesting'
  if (job?.state === 'running') return toUpgradePhase(job.phase)
  if (job?.state === 'failed') return 'Failed'
  return hasNewer ? 'Upgradable' : 'UpToDate'
}

/** @param job the last upgrade, if there was one. */
export function toFirmware(
  current: string | null,
  images: readonly OfferedImage[],
  job: DeviceJob | undefined,
): Firmware {
  const newer = newerVersion(current, versionsOf(images))
  const shown = job?.state === 'done' ? undefined : job
  return {
    current,
    available: newer ?? null,
    status: firmwareStatus(shown, newer !== undefined),
    versions: newestFirst(images).map(({ imageId: _, ...offered }) => offered),
    jobId: shown?.jobId ?? null,
    progress: shown?.progress ?? null,
    error: shown?.error ?? null,
  }
}
