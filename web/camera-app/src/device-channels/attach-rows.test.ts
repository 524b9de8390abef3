import type { DeviceChannel } from '@sightline/contract/device-channels'
import { describe, expect, it } from 'vitest'
import { attachRows, isFree, nameProblem } from './attach-rows.ts'

const channel = (channelId: number, rest: Partial<DeviceChannel> = {}): DeviceChannel => ({
  channelId,
  channel: channelId,
  name: `Profile ${channelId}`,
  online: true,
  attached: false,
  cameraId: null,
  ...rest,
})

describe('inputs that become cameras', () => {
  it('keep the name that somebody gave them, and otherwise have that of the recorder with their number', () => {
    const named = [
      channel(1, { name: ' Loading dock ' }),
      channel(2),
      channel(3, { name: 'ch03' }),
      channel(4, { name: '' }),
      channel(5, { name: 'x'.repeat(200) }),
      channel(6, { name: 'MediaProfile_Channel6_MainStream' }),
      channel(7, { name: 'main-7' }),
      channel(8, { name: 'Camera by the gate' }),
    ]
    expect(attachRows(named, 'Cellar').map(({ name }) => name)).toEqual([
      'Loading dock',
      'Cellar 2',
      'Cellar 3',
      'Cellar 4',
      'Cellar 5',
      'Cellar 6',
      'Cellar 7',
      'Camera by the gate',
    ])
  })

  it('need video, and are no cameras yet', () => {
    expect([channel(1), channel(2, { online: false }), channel(3, { attached: true })].map(isFree)).toEqual([
      true,
      false,
      false,
    ])
  })

  it('need a name', () => {
    expect(nameProblem({ channelId: 1, name: ' ' })).toBe('Camera name is required')
    expect(nameProblem({ channelId: 1, name: 'Till' })).toBeUndefined()
  })
})
