import type { Camera } from '@sightline/contract/cameras'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { cameraQueries } from '../cameras/index.ts'
import { PlacesDrawing, toCoordinates } from '../zones/index.ts'
import { useText } from './text.ts'

interface CameraPlacesProps {
  camera: Camera
  /** Where the form says that the camera is. */
  place: Pick<Camera, 'latitude' | 'longitude'>
}

/** Where the camera is among the others of the account, without an online map. */
export function CameraPlaces({ camera, place }: CameraPlacesProps) {
  const t = useText()
  const { client } = useApplication()
  const all = useQuery(cameraQueries(client).list).data ?? []
  if (toCoordinates(place) === undefined) return null
  const others = all.filter(({ cameraId }) => cameraId !== camera.cameraId)
  const placed = [{ ...camera, ...place }, ...others].flatMap((one) => {
    const at = toCoordinates(one)
    const note = one.cameraId === camera.cameraId ? t('This camera') : undefined
    const thing = { name: one.name, href: `/app/cameras/${one.cameraId}`, note }
    return at === undefined ? [] : [{ thing, place: at }]
  })
  const names = placed.map(({ thing }) => thing.name).join(', ')
  return <PlacesDrawing placed={placed} label={t('Drawing of camera locations: {cameras}', { cameras: names })} />
}
