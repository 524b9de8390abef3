import { putZoneSchedule } from '@sightline/contract/schedules'
import type { Zone } from '@sightline/contract/zones'
import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useAllTexts, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { ifMatch } from '../right-switches/index.ts'
import { useOwnPermissions } from '../rights/index.ts'
import { editorKey, ScheduleEditor } from './ScheduleEditor.tsx'
import { scheduleQueries } from './schedule-queries.ts'
import { useText } from './text.ts'

/** The schedule of a zone on its page, for its cameras without one of their own. */
export function ZoneScheduleCard({ zone }: { zone: Zone }) {
  const t = useText()
  const hasTexts = useAllTexts()
  const { client, queries } = useApplication()
  const own = useOwnPermissions().data
  const { zoneId } = zone
  const query = scheduleQueries(client).zone(zoneId)
  const schedule = useQuery(query)
  if (!hasTexts || own === undefined) return null
  return (
    <Loaded
      asked={[schedule]}
      place={
        <SkeletonGroup>
          <Skeleton className="h-96 w-full" />
        </SkeletonGroup>
      }
    >
      {(tagged) => (
        <ScheduleEditor
          key={editorKey(tagged)}
          title={t('Schedule and notifications')}
          description={t(
            'In Scheduled mode, the cameras in this zone record and send notifications at these times, unless they have their own schedule.',
          )}
          saved={tagged.value}
          readOnly={!(zone.whole && own.may(putZoneSchedule))}
          onSave={async (body) => {
            const call = { params: { zoneId }, body }
            const saved = await client.tagged(putZoneSchedule, call, { headers: ifMatch(tagged) })
            queries.setQueryData(query.queryKey, saved)
            for (const cameraId of zone.cameraIds)
              void queries.invalidateQueries({ queryKey: scheduleQueries(client).camera(cameraId).queryKey })
          }}
          onStale={() => void schedule.refetch()}
        />
      )}
    </Loaded>
  )
}
