import type { Db } from '@sightline/platform/db'
import type { ChainHead, SignedHead, StreamKey } from '../recording/index.ts'

/** The line of the newest signed head of a stream on a disk. */
export async function findHead({ plain }: Db, stream: StreamKey, disk: string): Promise<string | undefined> {
  const row = await plain
    .selectFrom('footage_heads')
    .where('account_id', '=', stream.accountId)
    .where('camera_id', '=', stream.cameraId)
    .where('stream', '=', stream.stream)
    .where('store', '=', disk)
    .select('line')
    .executeTakeFirst()
  return row?.line
}

export async function saveHead({ plain }: Db, head: ChainHead & Pick<SignedHead, 'line'>, disk: string): Promise<void> {
  const { hour, bytes, hash, line } = head
  const stream = { account_id: head.accountId, camera_id: head.cameraId, stream: head.stream, store: disk }
  await plain
    .insertInto('footage_heads')
    .values({ ...stream, hour, bytes, hash, line })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'camera_id', 'stream', 'store']).doUpdateSet({ hour, bytes, hash, line }),
    )
    .execute()
}
