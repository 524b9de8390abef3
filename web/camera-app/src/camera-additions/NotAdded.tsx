import { type Camera, type CameraStatus, deleteCamera } from '@sightline/contract/cameras'
import { Button, buttonClass, EmptyState } from '@sightline/kit'
import { useApplication, useMay, useSave } from '@sightline/shell'
import { useRouter } from '@tanstack/react-router'
import { failureReasons } from './failure-reasons.ts'
import { useText } from './text.ts'

/** Replaces the page of a camera that could not be added: why, and what to do about it. */
export function NotAdded({ camera, status }: { camera: Camera; status: CameraStatus }) {
  const t = useText()
  const { client, queries } = useApplication()
  const may = useMay()
  const save = useSave()
  const router = useRouter()
  const remove = async () => {
    const done = await save(() => client.call(deleteCamera, { params: { cameraId: camera.cameraId } }), {
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
    <EmptyState
      icon="camera"
      title={t("{camera} couldn't be added", { camera: camera.name })}
      action={
        <span className="flex flex-wrap justify-center gap-3">
          {may(deleteCamera) === true ? (
            <Button variant="secondary" onClick={() => void remove()}>
              {t('Remove from list')}
            </Button>
          ) : null}
          <a data-here href="/app/cameras/add" className={buttonClass()}>
            {t('Add camera')}
          </a>
        </span>
      }
    >
      {t(failureReasons[status.additionSubStatus])}
    </EmptyState>
  )
}
