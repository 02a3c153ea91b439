import classes from './Skeleton.module.css'

type Props = { width?: number | string; height: number; radius?: number }

/** The place of something that is loading. */
export const Skeleton = ({ width, height, radius = 8 }: Props) => (
  <div className={classes.skeleton} style={{ width, height, borderRadius: radius }} aria-hidden />
)
