import type { Camera } from '@sightline/contract/cameras'
import { Notice } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { cameraQueries, Snapshot } from '../cameras/index.ts'
import { useText } from './text.ts'

/**
 * Replaces a camera's picture and footage in a support session without video: the latest picture, blurred by the
 * server, and the reason.
 */
export function HiddenVideo({ camera: { cameraId, name } }: { camera: Camera }) {
  const t = useText()
  const { client } = useApplication()
  const status = useQuery(cameraQueries(client).statuses).data?.get(cameraId)
  return (
    <>
      <Notice mood="warning">
        <p className="font-medium">{t('The account owner has hidden video from support.')}</p>
        <p>
          {t(
            "You can't watch live video or recordings, and snapshots are blurred. The owner can change this in My Account under Support.",
          )}
        </p>
      </Notice>
      <section
        aria-label={t('Picture')}
        className="relative aspect-video max-h-[70dvh] min-h-44 w-full overflow-hidden rounded-lg bg-black"
      >
        <Snapshot
          fit="contain"
          cameraId={cameraId}
          online={status?.online === true}
          isPrivate={status?.mode === 'private'}
          label={t('Blurred snapshot from {camera}', { camera: name })}
        />
      </section>
    </>
  )
}
