import type { Camera } from '@sightline/contract/cameras'
import { streamRules } from '@sightline/contract/streams'
import { Button, Icon } from '@sightline/kit'
import { useMay } from '@sightline/shell'
import { lazy, Suspense, useState } from 'react'
import { useText } from '../text.ts'

const DownloadClip = lazy(() => import('../clips/index.ts').then((module) => ({ default: module.DownloadClip })))

const FootageMenu = lazy(() => import('../footage-ranges/index.ts').then((module) => ({ default: module.FootageMenu })))

/** A button that opens the dialog; each time it opens, it begins with what is watched then. */
function Download({ camera, timeZone, watched }: { camera: Camera; timeZone: string; watched: number | undefined }) {
  const t = useText()
  const [opened, setOpened] = useState<{ readonly number: number; readonly isOpen: boolean }>()
  const open = () => setOpened((before) => ({ number: (before?.number ?? 0) + 1, isOpen: true }))
  const close = () => setOpened((before) => before && { ...before, isOpen: false })
  return (
    <>
      <Button
        variant="secondary"
        aria-label={t('Download footage')}
        title={t('Download footage')}
        onClick={open}
        className="px-3!"
      >
        <Icon name="download" />
        <span className="max-sm:sr-only">{t('Download')}</span>
      </Button>
      {opened === undefined ? null : (
        <Suspense fallback={null}>
          <DownloadClip key={opened.number} {...{ camera, timeZone, watched }} open={opened.isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

/** What can be done with the footage of a camera around the time that is watched. */
export function FootageTools({
  camera,
  timeZone,
  watched,
}: {
  camera: Camera
  timeZone: string
  watched: number | undefined
}) {
  const mayDownload = useMay()(streamRules.mp4)
  return (
    <>
      {mayDownload === true ? <Download {...{ camera, timeZone, watched }} /> : null}
      <Suspense fallback={null}>
        <FootageMenu {...{ camera, timeZone, watched }} />
      </Suspense>
    </>
  )
}
