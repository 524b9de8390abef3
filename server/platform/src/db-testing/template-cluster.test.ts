import { mkdir, mkdtemp, readdir, rm, symlink, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeUnused } from './template-cluster.ts'

test('unused templates are removed, even while another run creates or removes one', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'sightline-cache-'))
  try {
    for (const name of ['database-old', 'unfinished-old', 'database-new', 'other-old']) {
      await mkdir(join(cache, name))
      if (name.endsWith('old')) await utimes(join(cache, name), 0, 0)
    }
    // A name that is listed but gone when it is read.
    await symlink(join(cache, 'nowhere'), join(cache, 'unfinished-gone'))
    await removeUnused(cache)
    expect((await readdir(cache)).toSorted()).toEqual(['database-new', 'other-old', 'unfinished-gone'])
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
})
