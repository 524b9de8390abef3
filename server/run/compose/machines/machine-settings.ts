import { z } from 'zod'
import { setting } from '../setting.ts'

export interface HostAndPort {
  readonly host: string
  readonly port: number
}

/** IPv6 addresses are in brackets. */
const hostAndPort = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/i)
  .transform((text): HostAndPort => {
    const at = text.lastIndexOf(':')
    return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) }
  })
  .refine(({ port }) => port <= 65_535)

/** What concerns media workers on other machines. */
export const MACHINE_SETTINGS = {
  SIGHTLINE_WORKER_LISTEN: setting({
    summary:
      'Address and port where media workers on other machines connect, over mutual TLS. Requires DATABASE_URL. See docs/guide/several-machines.md.',
    values: '`<host>:<port>`, such as `10.0.0.5:8443`; `0.0.0.0` or `[::]` as the host for all addresses',
    unset: 'no other machine can connect',
    schema: hostAndPort.optional(),
  }),
  SIGHTLINE_FRONT: setting({
    summary:
      'Only for `npm run worker` on another machine: where the front of the installation listens with SIGHTLINE_WORKER_LISTEN.',
    values: '`<host>:<port>`, such as `10.0.0.5:8443`',
    unset: '`npm run worker` doesn’t start',
    schema: hostAndPort.optional(),
  }),
  SIGHTLINE_WORKER_CREDENTIALS: setting({
    summary:
      'Only for `npm run worker` on another machine: the file with its certificate and keys, made by `npm run workers -- add` on the machine of the front.',
    values: 'a path; only its owner may read the file',
    unset: '`worker.json` in the data folder',
    schema: z.string().optional(),
  }),
} as const
