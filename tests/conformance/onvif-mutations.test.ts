import { test } from 'vitest'
import { readMutatedReplies } from './onvif-replies.ts'

test('three thousand mutated replies are read without a fault', () => readMutatedReplies(3000, 1))
