import { id, route } from '@sightline/contract/wire'
import { type ServedRoute, serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'

const postNote = route({
  name: 'postNote',
  summary: 'A note',
  method: 'POST',
  path: 'notes',
  access: 'tenant',
  support: 'yes',
  body: z.object({ text: z.string(), milliseconds: z.optional(z.int()) }),
  status: 201,
  created: 'notes/{noteId}',
  reply: z.object({ noteId: id, text: z.string() }),
  errors: ['duplicate'],
})

/** A POST that counts its runs; its body defines the reply. For tests. */
export function countedNotes(): { readonly served: ServedRoute; readonly runs: () => number } {
  let runs = 0
  const served = serve(postNote, async (_caller, { body }) => {
    await new Promise((resolve) => setTimeout(resolve, body.milliseconds ?? 0))
    if (body.text === 'bug') throw new Error('a bug')
    runs += 1
    if (body.text === 'twice') return fail({ error: 'duplicate' })
    return ok({ noteId: runs, text: body.text })
  })
  return { served, runs: () => runs }
}
