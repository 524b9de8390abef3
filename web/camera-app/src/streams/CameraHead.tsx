import { getCameraLogs } from '@sightline/contract/camera-logs'
import { type Camera, deleteCamera } from '@sightline/contract/cameras'
import { Icon, IconButton } from '@sightline/kit'
import { useApplication, useMay } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useCanGoBack } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { CameraModeControl } from '../mode-controls.ts'
import { useOwnPermissions } from '../rights/index.ts'
import { tabsOfRights } from '../settings-tabs.ts'
import { useText } from '../text.ts'

const RemoveCamera = lazy(() =>
  import('../camera-additions/index.ts').then((module) => ({ default: module.RemoveCamera })),
)

/**
 * The focused element disappeared with the previous screen. The heading gets the focus, so that keyboard users continue
 * from there.
 */
function useFocusedHeading() {
  const ref = useRef<HTMLHeadingElement>(null)
  const cameFromHere = useCanGoBack()
  useEffect(() => {
    if (cameFromHere && document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [cameFromHere])
  return ref
}

/** A link back, the camera's name, and a link to its log. */
export function CameraHead({ camera }: { camera: Camera }) {
  const { cameraId, name } = camera
  const t = useText()
  const [removing, setRemoving] = useState<'never' | 'open' | 'closed'>('never')
  const may = useMay()
  const own = useOwnPermissions().data
  const { client } = useApplication()
  const status = useQuery(cameraQueries(client).statuses).data?.get(cameraId)
  const heading = useFocusedHeading()
  return (
    // On a phone the mode has a row of its own, so that the name of the camera has room.
    <header className="flex items-center gap-2 max-sm:flex-wrap short:h-8 short:flex-nowrap short:[&_button]:h-8">
      <a
        data-here
        href="/app/"
        aria-label={t('All cameras')}
        title={t('All cameras')}
        className="-ms-2 inline-flex size-10 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
      >
        <Icon name="chevronLeft" mirrored />
      </a>
      <h1 ref={heading} tabIndex={-1} className="min-w-0 flex-1 truncate text-lg font-semibold tracking-tight">
        {name}
      </h1>
      <div className="flex items-center gap-2 empty:hidden max-sm:order-last max-sm:basis-full short:order-none short:basis-auto">
        {camera.transferredAt === null ? (
          <Suspense fallback={null}>
            <CameraModeControl camera={camera} status={status} />
          </Suspense>
        ) : null}
      </div>
      {may(getCameraLogs) === true ? (
        <a
          data-here
          href={`/app/cameras/${cameraId}/logs`}
          aria-label={t('Camera log')}
          title={t('Camera log')}
          className="inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
        >
          <Icon name="list" mirrored />
        </a>
      ) : null}
      {own === undefined || tabsOfRights(own.rights).length === 0 ? null : (
        <a
          data-here
          href={`/app/cameras/${cameraId}/settings`}
          aria-label={t('Camera settings')}
          title={t('Camera settings')}
          className="inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
        >
          <Icon name="settings" />
        </a>
      )}
      {may(deleteCamera) === true ? (
        <IconButton icon="trash" label={t('Remove camera')} onClick={() => setRemoving('open')} />
      ) : null}
      {removing === 'never' ? null : (
        <Suspense fallback={null}>
          <RemoveCamera camera={camera} open={removing === 'open'} onClose={() => setRemoving('closed')} />
        </Suspense>
      )}
    </header>
  )
}
