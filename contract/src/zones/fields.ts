import * as z from 'zod/mini'
import { placeNameProblem } from './rules.ts'

/** The name of a zone or camera; spaces around it are cut off. */
export const placeName = (which: 'Zone' | 'Camera') =>
  z.string().check(z.trim(), (ctx) => {
    const message = placeNameProblem(which, ctx.value)
    if (message !== undefined) ctx.issues.push({ code: 'custom', message, input: ctx.value })
  })

/** A name of the TZ database, at most 64 characters; the server knows which there are. */
export const placeTimeZone = z.string().check(z.minLength(1), z.maxLength(64))
