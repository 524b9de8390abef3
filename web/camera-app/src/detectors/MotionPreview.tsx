import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { getMotionPreview, type MotionPreview as Preview } from '@sightline/contract/detectors'
import { Button, Notice } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DetectionPicture } from './DetectionPicture.tsx'
import { type Text, useText } from './text.ts'

const EVERY_MS = 500

/** The blocks of the picture that move, and those that are left out because they change all the time. */
function Blocks({ preview }: { preview: Preview }) {
  const { columns, rows, moving, ignored } = preview
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${columns} ${rows}`}
      preserveAspectRatio="none"
      className="pointer-events-none absolute inset-0 size-full"
    >
      {[...moving].map((block) => (
        <rect
          key={`moving ${block}`}
          x={block % columns}
          y={Math.floor(block / columns)}
          width={1}
          height={1}
          className="fill-warning/60"
        />
      ))}
      {[...ignored].map((block) => (
        <rect
          key={`ignored ${block}`}
          x={block % columns}
          y={Math.floor(block / columns)}
          width={1}
          height={1}
          className="fill-black/50"
        />
      ))}
    </svg>
  )
}

const texts: Readonly<Record<Preview['state'], Text>> = {
  server: 'The server is watching this camera. Highlighted squares would trigger motion at the sensitivity above.',
  camera: 'The camera detects motion itself, so only its result is shown.',
  notOnServer:
    "This server isn't set up to detect motion, so you only get motion that the camera reports. The operator of the server can change that.",
  off: 'This camera is not being watched for motion now.',
}

interface MotionPreviewProps {
  camera: Camera
  status: CameraStatus | undefined
  /** Of the slider; it may not be saved yet. */
  sensitivity: string
}

/** The camera's own motion may be going on; what the server finds is what triggers at the sensitivity of the slider. */
const isTriggered = ({ state, active, moving }: Preview): boolean => (state === 'server' ? moving.length > 0 : active)

/** What would trigger now, over the live picture, while the user wants to see it. */
export function MotionPreview({ camera, status, sensitivity }: MotionPreviewProps) {
  const t = useText()
  const { client } = useApplication()
  const { cameraId } = camera
  const [open, setOpen] = useState(false)
  const { data: preview } = useQuery({
    // Without the sensitivity, so that dragging the slider asks no more often.
    queryKey: ['cameras', cameraId, 'detectors', 'preview'],
    queryFn: ({ signal }) =>
      client.call(getMotionPreview, { params: { cameraId }, query: { sensitivity } }, { signal }),
    enabled: open,
    refetchInterval: EVERY_MS,
    staleTime: 0,
  })
  return (
    <div className="space-y-3">
      <Button variant="secondary" icon={open ? 'eyeOff' : 'eye'} aria-expanded={open} onClick={() => setOpen(!open)}>
        {t(open ? 'Hide what triggers' : 'Show what triggers')}
      </Button>
      {open ? (
        <>
          <DetectionPicture camera={camera} status={status}>
            {preview === undefined ? null : <Blocks preview={preview} />}
            {preview !== undefined && isTriggered(preview) ? (
              <span className="absolute start-2 top-2 rounded-sm bg-danger px-2 py-0.5 font-medium text-on-danger">
                {t('Motion')}
              </span>
            ) : null}
          </DetectionPicture>
          {preview === undefined ? null : <Notice>{t(texts[preview.state])}</Notice>}
        </>
      ) : null}
    </div>
  )
}
