#pragma once
#include "engine/data/sample/painter.h"

namespace halfstep::data {

// One function a class of Imagenette. Each draws its thing in the painter's placement, within about -1 to 1, with
// colours and proportions of its own from `random`.

void drawTench(Painter& painter, Random& random);
void drawSpringer(Painter& painter, Random& random);
void drawCassettePlayer(Painter& painter, Random& random);
void drawChainSaw(Painter& painter, Random& random);
void drawChurch(Painter& painter, Random& random);
void drawFrenchHorn(Painter& painter, Random& random);
void drawGarbageTruck(Painter& painter, Random& random);
void drawGasPump(Painter& painter, Random& random);
void drawGolfBall(Painter& painter, Random& random);
void drawParachute(Painter& painter, Random& random);

} // namespace halfstep::data
