import { patchCameraWarning } from '@sightline/contract/camera-warnings'
import type { Camera, CameraStatus, CameraWarning } from '@sightline/contract/cameras'
import { Button, Icon, IconButton } from '@sightline/kit'
import { useApplication, useMay, useSave } from '@sightline/shell'
import { useState } from 'react'
import { type ListedWarning, listWarnings } from './listed-warnings.ts'
import { type Text, useText } from './text.ts'

const texts: Readonly<Record<CameraWarning, Text>> = {
  streamsSwapped: 'The sub-stream is larger than the main stream, so live view and recordings have the wrong size.',
  clockWrong: "The camera's clock is wrong.",
  eventsLost: "Events from the camera, such as motion, aren't arriving.",
  storageFull: "Your account's storage is full, so older recordings are deleted early.",
}

/** So many are shown at first: a list of cameras isn't pushed off the screen. */
const SHOWN = 3

interface CameraWarningsProps {
  cameras: readonly Pick<Camera, 'cameraId' | 'name'>[]
  statuses: ReadonlyMap<number, CameraStatus>
  /** On the page of the only camera: its name isn't repeated, and what was dismissed can be shown again. */
  isOfOne?: boolean
}

/** What the user should change about cameras. A dismissed warning stays dismissed for the user, even if it comes back. */
export function CameraWarnings({ cameras, statuses, isOfOne = false }: CameraWarningsProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const [withDismissed, showDismissed] = useState(false)
  const warnings = listWarnings(cameras, statuses, { dismissed: false })
  const dismissed = isOfOne ? listWarnings(cameras, statuses, { dismissed: true }) : []
  if (warnings.length + dismissed.length === 0) return null
  const shown = isOpen ? warnings : warnings.slice(0, SHOWN)
  return (
    <section aria-label={t('Warnings')} className={isOfOne ? '' : 'mb-6'}>
      <ul className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface empty:hidden">
        {shown.map((each) => (
          <Warning key={`${each.cameraId} ${each.warning}`} listed={each} isOfOne={isOfOne} isDismissed={false} />
        ))}
        {withDismissed
          ? dismissed.map((each) => <Warning key={each.warning} listed={each} isOfOne={isOfOne} isDismissed />)
          : null}
      </ul>
      {warnings.length > SHOWN ? (
        <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('Show fewer warnings') : t('Show all warnings ({count})', { count: warnings.length })}
        </Button>
      ) : null}
      {dismissed.length > 0 ? (
        <Button variant="quiet" aria-expanded={withDismissed} onClick={() => showDismissed(!withDismissed)}>
          {withDismissed
            ? t('Hide dismissed warnings')
            : t('Show dismissed warnings ({count})', { count: dismissed.length })}
        </Button>
      ) : null}
    </section>
  )
}

function Warning({
  listed: { cameraId, name, warning },
  isOfOne,
  isDismissed,
}: {
  listed: ListedWarning
  isOfOne: boolean
  isDismissed: boolean
}) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const mayDismiss = useMay()(patchCameraWarning)
  const [isBusy, setBusy] = useState(false)
  const dismiss = async () => {
    setBusy(true)
    const body = { dismissed: !isDismissed }
    await save(() => client.call(patchCameraWarning, { params: { cameraId, warning }, body }), {
      success: t(isDismissed ? 'Warning shown again' : 'Warning dismissed'),
    })
    await queries.invalidateQueries({ queryKey: ['cameras/all/status'] })
    setBusy(false)
  }
  return (
    <li className="flex items-center gap-3 py-1.5 ps-4 pe-2">
      <span className={isDismissed ? 'text-muted' : 'text-warning-text'}>
        <Icon name="warning" size={18} />
      </span>
      <span className={`min-w-0 grow ${isDismissed ? 'text-muted' : ''}`}>
        {isOfOne ? null : (
          <a data-here href={`/app/cameras/${cameraId}`} className="font-medium hover:text-link">
            {name}
          </a>
        )}
        <span className={isOfOne ? '' : 'block text-sm text-muted'}>
          {t(texts[warning])}
          {warning === 'clockWrong' ? (
            <>
              {' '}
              <a data-here href={`/app/cameras/${cameraId}/logs`} className="text-link hover:underline">
                {t('Open the camera log to set it')}
              </a>
            </>
          ) : null}
        </span>
      </span>
      {mayDismiss === true ? (
        <DismissButton camera={name} isDismissed={isDismissed} isBusy={isBusy} onPress={() => void dismiss()} />
      ) : null}
    </li>
  )
}

interface DismissButtonProps {
  camera: string
  isDismissed: boolean
  isBusy: boolean
  onPress: () => void
}

function DismissButton({ camera, isDismissed, isBusy, onPress }: DismissButtonProps) {
  const t = useText()
  if (isDismissed) {
    const label = t('Show this warning about {camera} again', { camera })
    return (
      <Button variant="quiet" busy={isBusy} aria-label={label} onClick={onPress}>
        {t('Show again')}
      </Button>
    )
  }
  const label = t('Dismiss this warning about {camera}', { camera })
  return <IconButton icon="close" label={label} disabled={isBusy} onClick={onPress} />
}
