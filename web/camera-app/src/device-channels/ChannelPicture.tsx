import { type DeviceChannel, getChannelSnapshot } from '@sightline/contract/device-channels'
import { Icon, Skeleton } from '@sightline/kit'
import { concurrencyLimit } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useIsNear } from '../cameras/index.ts'

/** The server asks a recorder for four pictures at a time. */
const limited = concurrencyLimit(4)
/** A picture isn't requested again within this time, for example after scrolling back. */
const FRESH_MS = 60_000

/** The address of a picture in this page, as long as it is shown. */
function useObjectUrl(picture: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (picture === undefined) return undefined
    const made = URL.createObjectURL(picture)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [picture])
  return url
}

interface ChannelPictureProps {
  deviceId: number
  channel: DeviceChannel
  /** The picture's text for screen readers. */
  label: string
}

/** What the recorder shows at an input that isn't a camera yet. It is requested once it is in view. */
export function ChannelPicture({ deviceId, channel, label }: ChannelPictureProps) {
  const { client } = useApplication()
  const place = useRef<HTMLSpanElement>(null)
  const isNear = useIsNear(place)
  const { channelId, online } = channel
  const { data, isFetching } = useQuery({
    queryKey: ['devices', deviceId, 'channels', channelId, 'snapshot'],
    queryFn: ({ signal }) =>
      limited(() => client.blob(getChannelSnapshot, { params: { deviceId, channelId } }, { signal }), signal),
    enabled: isNear && online,
    staleTime: FRESH_MS,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const url = useObjectUrl(data)
  const isWaiting = online && url === undefined && (isFetching || !isNear)
  return (
    <span ref={place} className="absolute inset-0 block">
      {url === undefined ? (
        <span className="absolute inset-0 flex items-center justify-center text-muted">
          {isWaiting ? (
            <Skeleton className="size-full rounded-none" />
          ) : (
            <Icon name={online ? 'camera' : 'offline'} size={32} />
          )}
        </span>
      ) : (
        <img src={url} alt={label} className="absolute inset-0 size-full object-cover" />
      )}
    </span>
  )
}
