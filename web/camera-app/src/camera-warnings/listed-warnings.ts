import type { Camera, CameraStatus, CameraWarning } from '@sightline/contract/cameras'

export interface ListedWarning {
  readonly cameraId: number
  readonly name: string
  readonly warning: CameraWarning
}

/** The warnings about these cameras that the user has or hasn't dismissed, in the order of the cameras. */
export const listWarnings = (
  cameras: readonly Pick<Camera, 'cameraId' | 'name'>[],
  statuses: ReadonlyMap<number, Pick<CameraStatus, 'warnings' | 'dismissedWarnings'>>,
  { dismissed }: { readonly dismissed: boolean },
): readonly ListedWarning[] =>
  cameras.flatMap(({ cameraId, name }) => {
    const { warnings = [], dismissedWarnings = [] } = statuses.get(cameraId) ?? {}
    return warnings
      .filter((warning) => dismissedWarnings.includes(warning) === dismissed)
      .map((warning) => ({ cameraId, name, warning }))
  })
