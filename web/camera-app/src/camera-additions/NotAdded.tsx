import { dismissCameraAddition } from '@sightline/contract/camera-additions'
import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { Button, EmptyState } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useRouter } from '@tanstack/react-router'
import { useAddingWays } from '../cameras/index.ts'
import { failureReasons } from './failure-reasons.ts'
import { RetryAddition } from './RetryAddition.tsx'
import { useText } from './text.ts'

/** Removes a camera that could not be added from the list. */
function Dismiss({ camera }: { camera: Camera }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const router = useRouter()
  const dismiss = async () => {
    const done = await save(() => client.call(dismissCameraAddition, { params: { cameraId: camera.cameraId } }), {
      success: t('Camera removed'),
    })
    if ('failure' in done) return
    queries.setQueryData<readonly Camera[]>(['cameras'], (before) =>
      before?.filter(({ cameraId }) => cameraId !== camera.cameraId),
    )
    void queries.invalidateQueries({ queryKey: ['cameras'] })
    await router.navigate({ to: '/' })
  }
  return (
    <Button variant="secondary" onClick={() => void dismiss()}>
      {t('Remove from list')}
    </Button>
  )
}

/** Replaces the page of a camera that could not be added: why, and what to do about it. */
export function NotAdded({ camera, status }: { camera: Camera; status: CameraStatus }) {
  const t = useText()
  const { queries } = useApplication()
  const ways = useAddingWays()
  const { additionSubStatus } = status
  return (
    <EmptyState
      icon="camera"
      title={t("{camera} couldn't be added", { camera: camera.name })}
      action={
        ways?.byAddress === true || ways?.byMacAddress === true ? (
          <div className="w-full max-w-md text-start">
            <RetryAddition
              camera={camera}
              username=""
              asksCredentials={additionSubStatus === 'credentialsIncorrect'}
              others={<Dismiss camera={camera} />}
              onRetry={() => void queries.invalidateQueries({ queryKey: ['cameras'] })}
            />
          </div>
        ) : undefined
      }
    >
      {t(failureReasons[additionSubStatus])}
    </EmptyState>
  )
}
