import * as z from 'zod/mini'
import { route } from '../wire/index.ts'

/** Minutes that a browser can fetch the picture of a push message. One that was away for longer shows the message without it. */
export const PUSH_PICTURE_MINUTES = 10

/**
 * Called by a browser that received a push message, which may not be signed in. Its token is in the message, which only that
 * browser can read, and is worth no more than the user's rights are now. Unknown, expired and withdrawn tokens get the same reply.
 */
export const getPushPicture = route({
  name: 'getPushPicture',
  summary: 'For browsers: get the picture of a push notification, with the token of its message as bearer token',
  method: 'GET',
  path: 'pushPicture',
  access: 'public',
  support: 'yes',
  waitsForOthers: true,
  media: ['image/jpeg'],
  reply: z.unknown(),
  errors: ['notFound', 'mediaNotSupported', 'timedOut', 'tooManyRequests'],
})
