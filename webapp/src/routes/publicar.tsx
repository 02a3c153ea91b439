import { createFileRoute } from '@tanstack/react-router'
import { Guide } from '../features/guide/Guide'

export const Route = createFileRoute('/publicar')({ component: Guide })
