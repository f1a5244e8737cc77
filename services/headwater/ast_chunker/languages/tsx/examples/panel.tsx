import React, { useState } from 'react';
import { Button } from './button';

interface Props { title: string; onClose?: () => void }

/** A panel. */
export const Panel: React.FC<Props> = ({ title, onClose }) => {
  const [open, setOpen] = useState<boolean>(true);
  return (
    <section className={title}>
      <Button onClick={() => setOpen(!open)} label={title} />
      <ui.Icon>{open && onClose?.()}</ui.Icon>
    </section>
  );
};
