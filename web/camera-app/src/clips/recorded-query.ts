import type { Client } from '@sightline/client'
import { getRecordingTimelines } from '@sightline/contract/recordings'
import { queryOptions } from '@tanstack/react-query'
import type { ClipSpan } from './clip-span.ts'

/** How much footage there is of cameras in a span, all together, in milliseconds. */
export const recordedQuery = (
  client: Client,
  { cameraIds, span }: { readonly cameraIds: readonly number[]; readonly span: ClipSpan },
) =>
  queryOptions({
    queryKey: ['recordings/timeline', 'recorded', cameraIds.join(), span.from, span.till],
    queryFn: async ({ signal }): Promise<number> => {
      const times = { from: new Date(span.from).toISOString(), till: new Date(span.till).toISOString() }
      const query = { ...times, cameraIds: cameraIds.join(), resolution: '1' }
      const { cameras } = await client.call(getRecordingTimelines, { query }, { signal })
      const lengths = cameras.flatMap(({ segments }) =>
        segments.map(({ start, end }) => Math.min(Date.parse(end), span.till) - Math.max(Date.parse(start), span.from)),
      )
      return lengths.reduce((sum, length) => sum + Math.max(0, length), 0)
    },
  })
