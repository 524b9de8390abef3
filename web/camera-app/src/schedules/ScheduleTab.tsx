import type { TaggedReply } from '@sightline/client'
import { deleteCameraSchedule, putCameraSchedule, type Schedule } from '@sightline/contract/schedules'
import { Notice, RadioGroup, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { ifMatch } from '../right-switches/index.ts'
import { zoneQueries } from '../zones/index.ts'
import { editorKey, ScheduleEditor } from './ScheduleEditor.tsx'
import { scheduleQueries } from './schedule-queries.ts'
import { useText } from './text.ts'

interface EditorProps extends SettingsTabProps {
  tagged: TaggedReply<Schedule>
  /** That of the camera's zone. */
  zone: TaggedReply<Schedule>
}

/** The times of a zone by the clock of one of its cameras. */
const inCameraTime = (zone: Schedule, { timeZone, utcOffset, nextOffsetChange }: Schedule): Schedule => ({
  ...zone,
  timeZone,
  utcOffset,
  nextOffsetChange,
})

function Editor({ camera, tagged, zone, readOnly }: EditorProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const { cameraId } = camera
  const saved = tagged.value.inherited ? 'zone' : 'camera'
  const [source, setSource] = useState<'zone' | 'camera'>(saved)
  const zoneName = useQuery(zoneQueries(client).list).data?.find((one) => one.zoneId === camera.zoneId)?.name ?? ''
  const again = () => queries.invalidateQueries({ queryKey: scheduleQueries(client).camera(cameraId).queryKey })
  return (
    <ScheduleEditor
      title={t('Schedule and notifications')}
      description={t('In Scheduled mode, the camera records and sends notifications at these times.')}
      saved={source === 'zone' ? inCameraTime(zone.value, tagged.value) : tagged.value}
      readOnly={readOnly !== undefined}
      changed={source !== saved}
      isOfZone={source === 'zone'}
      onSave={async (spans) => {
        const call = { params: { cameraId } }
        // Deletions take no If-Match: what is deleted may be any state.
        if (source === 'zone') await client.call(deleteCameraSchedule, call)
        else await client.call(putCameraSchedule, { ...call, body: spans }, { headers: ifMatch(tagged) })
        await again()
      }}
      onDiscard={() => setSource(saved)}
      onStale={() => void again()}
    >
      <div className="mb-5">
        <RadioGroup
          label={t('Which schedule')}
          options={[
            { value: 'zone', label: t('Schedule of zone {zone}', { zone: zoneName }) },
            { value: 'camera', label: t('Own schedule of this camera') },
          ]}
          value={source}
          disabled={readOnly !== undefined}
          onChange={setSource}
        />
      </div>
    </ScheduleEditor>
  )
}

/** When a camera in the mode scheduled records and notifies: its zone's times, or its own. */
export function ScheduleTab(props: SettingsTabProps) {
  const { camera, status } = props
  const t = useText()
  const { client } = useApplication()
  const own = useQuery(scheduleQueries(client).camera(camera.cameraId))
  const zone = useQuery(scheduleQueries(client).zone(camera.zoneId))
  return (
    <Loaded
      asked={[own, zone]}
      place={
        <SkeletonGroup>
          <Skeleton className="h-96 w-full" />
        </SkeletonGroup>
      }
    >
      {(tagged, ofZone) => (
        <>
          {status === undefined || status.mode === 'scheduled' ? null : (
            <div className="mb-5">
              <Notice>{t("This camera isn't in Scheduled mode, so the schedule doesn't apply now.")}</Notice>
            </div>
          )}
          <Editor key={editorKey(tagged)} {...props} tagged={tagged} zone={ofZone} />
        </>
      )}
    </Loaded>
  )
}
