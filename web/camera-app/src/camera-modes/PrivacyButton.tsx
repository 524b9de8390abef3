import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { IconButton } from '@sightline/kit'
import { useAllTexts, useApplication } from '@sightline/shell'
import { modeQueries } from './mode-queries.ts'
import { useText } from './text.ts'
import { useModeChange } from './use-mode-change.ts'

interface PrivacyButtonProps {
  camera: Camera
  status: CameraStatus
  className?: string
}

/** Turns private mode on, and off to the mode before. */
export function PrivacyButton({ camera, status, className = '' }: PrivacyButtonProps) {
  const t = useText()
  const hasTexts = useAllTexts()
  const { client, queries } = useApplication()
  const { busy, change } = useModeChange(camera)
  const isPrivate = status.mode === 'private'
  const press = async () => {
    if (!isPrivate) return change('private')
    // Only the server knows the mode before.
    const before = await queries.fetchQuery({ ...modeQueries(client).camera(camera.cameraId), staleTime: 0 })
    return change(before.modeBeforePrivate ?? 'armed')
  }
  if (!hasTexts) return null
  return (
    <IconButton
      icon={isPrivate ? 'eyeOff' : 'eye'}
      label={t(isPrivate ? 'Turn off private mode: {name}' : 'Turn on private mode: {name}', { name: camera.name })}
      aria-pressed={isPrivate}
      disabled={busy}
      className={className}
      onClick={() => void press()}
    />
  )
}
