#!/bin/sh
POLYGPU=mandatory POLYGPU_DEVICE=emulated ./consumer | grep '^1 41$'
