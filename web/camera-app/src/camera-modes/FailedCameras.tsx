import type { ZoneCameraMode } from '@sightline/contract/camera-modes'
import { Notice } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { cameraQueries } from '../cameras/index.ts'
import { type Text, useText } from './text.ts'

/** By error code: why a camera keeps its mode although its zone gets another one. */
const reasons: Readonly<Record<number, Text>> = {
  6: 'It has its own schedule, without recording times.',
  9: "Support can't turn off private mode.",
  14: 'The camera is offline',
  18: 'The camera is offline',
}

/** The cameras of a zone that a change didn't reach, each with the reason. */
export function FailedCameras({ failed }: Pick<ZoneCameraMode, 'failed'>) {
  const t = useText()
  const { client } = useApplication()
  const cameras = useQuery(cameraQueries(client).list).data
  if (failed.length === 0) return null
  return (
    <div role="status" className="mt-4">
      <Notice mood="warning">
        <p>{t('These cameras keep their mode:')}</p>
        <ul className="mt-1 list-disc ps-5">
          {failed.map(({ cameraId, code }) => (
            <li key={cameraId} className="wrap-anywhere">
              {cameras?.find((camera) => camera.cameraId === cameraId)?.name ?? cameraId}
              {': '}
              {t(reasons[code] ?? 'Unknown')}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
