import { z } from 'zod'
import { setting } from './setting.ts'

/** Only this machine may be spoken to without TLS: footage may be unencrypted, and names tell accounts and times. */
const s3Bucket = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine((url) => /^\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.pathname) && `${url.search}${url.hash}` === '')
  .refine((url) => url.username === '' && url.password === '')
  .refine((url) => url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))

/** Where footage is copied to, and whether it may be there alone. */
export const FOOTAGE_COPY_SETTINGS = {
  SIGHTLINE_S3_BUCKET: setting({
    summary:
      'Bucket of Amazon S3, or of a server that speaks its protocol, to which footage is copied as it is recorded. See docs/guide/footage.md.',
    values:
      'the https address of server and bucket, such as `https://s3.eu-central-1.amazonaws.com/my-footage`; `http` on this machine only',
    unset: 'footage is not copied',
    schema: s3Bucket.optional(),
  }),
  SIGHTLINE_S3_USE: setting({
    summary:
      'What the bucket is for. `copy`: a second place; what the disk deletes to make room is deleted there too. `store`: the disk is for the newest footage; what the bucket has leaves the disk when there is no room, and is played from the bucket.',
    values: '`copy` or `store`',
    unset: '`copy`',
    schema: z.enum(['copy', 'store']).default('copy'),
  }),
  SIGHTLINE_S3_REGION: setting({
    summary: 'Region of the bucket.',
    values: 'a name such as `eu-central-1`',
    unset: '`us-east-1`, which servers of your own usually expect',
    schema: z
      .string()
      .regex(/^[a-z0-9-]{1,64}$/)
      .default('us-east-1'),
  }),
  SIGHTLINE_S3_ACCESS_KEY: setting({
    summary: 'Access key that may list, read, write and delete objects of the bucket.',
    values: 'its id',
    unset: 'none',
    schema: z
      .string()
      .regex(/^[\w.+-]{1,128}$/)
      .optional(),
  }),
  SIGHTLINE_S3_SECRET_KEY: setting({
    summary: 'Secret of SIGHTLINE_S3_ACCESS_KEY.',
    values: 'the secret access key',
    unset: 'none',
    isSecret: true,
    schema: z
      .string()
      .regex(/^[!-~]{1,256}$/)
      .optional(),
  }),
} as const
